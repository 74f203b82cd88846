//! A command line that can be shown and recorded: short, and without secrets.

use std::borrow::Cow;

/// Stands for what is left out.
const HIDDEN: &str = "***";

/// Parts of names whose values are secrets, in lower case without separators.
const SECRET_NAMES: &[&str] = &[
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "accesskey",
    "privatekey",
    "credential",
    "auth",
    "bearer",
    "cookie",
    "signature",
    "pwd",
    "licensekey",
];

/// How well-known services begin their keys.
const SECRET_STARTS: &[&str] =
    &["hf_", "sk-", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "eyJ"];

/// A word of letters and digits from this length on is a key rather than a word.
const KEY_CHARACTERS: usize = 32;

/// The words of a command, the program without its folders, cut to so many characters.
pub(super) fn shown(words: &[Cow<'_, str>], most_characters: usize) -> String {
    let mut line = String::new();
    let mut hide_next = false;
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            line.push(' ');
        }
        if index == 0 {
            line.push_str(word.rsplit('/').next().unwrap_or(word));
        } else if hide_next && !word.starts_with('-') {
            line.push_str(HIDDEN);
            hide_next = false;
        } else {
            hide_next = push_word(&mut line, word);
        }
        if line.chars().count() > most_characters {
            break;
        }
    }
    // Another's command line must not steer the terminal or the table that shows it.
    let mut line: String = line.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    match line.char_indices().nth(most_characters) {
        Some((end, _)) => {
            line.truncate(end);
            line.push('…');
            line
        }
        None => line,
    }
}

/// Writes a word as it may be shown; true if the next one is the value of a secret.
fn push_word(line: &mut String, word: &str) -> bool {
    if let Some((name, value)) = word.split_once(['=', ':']).filter(|(name, _)| is_secret(name)) {
        line.push_str(name);
        line.push_str(if word.get(name.len()..).is_some_and(|it| it.starts_with('=')) {
            "="
        } else {
            ":"
        });
        if !value.is_empty() {
            line.push_str(HIDDEN);
        }
        return value.trim().is_empty();
    }
    if let Some((scheme, rest)) = word.split_once("://")
        && let Some((_, host)) = rest.split_once('@')
    {
        line.push_str(scheme);
        line.push_str("://");
        line.push_str(HIDDEN);
        line.push('@');
        line.push_str(&without_query(host));
        return false;
    }
    if word.contains(['{', '[', '&', ',', ';']) && mentions_secret(word) {
        // Several values in one word, such as JSON: better to show too little.
        line.push_str(HIDDEN);
        return false;
    }
    let value = word.split_once('=').map_or(word, |(_, value)| value);
    if is_key(value) {
        line.push_str(word.get(..word.len() - value.len()).unwrap_or_default());
        line.push_str(HIDDEN);
        return false;
    }
    if word.contains("://") {
        line.push_str(&without_query(word));
    } else if word.contains(char::is_whitespace) {
        // A script or a header in one word: its own words are looked at, too.
        let mut hide_next = false;
        for (index, part) in word.split_whitespace().enumerate() {
            if index > 0 {
                line.push(' ');
            }
            if std::mem::take(&mut hide_next) {
                line.push_str(HIDDEN);
            } else {
                hide_next = push_word(line, part);
            }
        }
        return hide_next;
    } else {
        line.push_str(word);
    }
    is_secret(word)
}

/// Signed addresses have their secrets behind the question mark.
fn without_query(address: &str) -> Cow<'_, str> {
    match address.split_once('?') {
        Some((path, _)) => Cow::Owned(format!("{path}?{HIDDEN}")),
        None => Cow::Borrowed(address),
    }
}

/// Whether a name of a secret stands anywhere in it.
fn mentions_secret(word: &str) -> bool {
    let plain: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = plain.to_ascii_lowercase().replace("tokenizer", "").replace("tokens", "");
    SECRET_NAMES.iter().any(|secret| plain.contains(secret))
}

fn is_secret(name: &str) -> bool {
    if name.len() > 64 {
        return false;
    }
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|it| it.to_ascii_lowercase())
        .collect();
    // Tokens that are counted are no secrets: --max-tokens, --num-tokens.
    let counted = plain.ends_with("tokens") || plain.contains("tokenizer");
    !counted && SECRET_NAMES.iter().any(|secret| plain.contains(secret)) || plain == "key"
}

fn is_key(value: &str) -> bool {
    SECRET_STARTS.iter().any(|start| value.starts_with(start) && value.len() > start.len() + 8)
        || (value.len() >= KEY_CHARACTERS
            && value.chars().all(|it| it.is_ascii_alphanumeric())
            && value.contains(|it: char| it.is_ascii_digit())
            && value.contains(|it: char| it.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[&str]) -> String {
        let words: Vec<_> = words.iter().map(|word| Cow::Borrowed(*word)).collect();
        shown(&words, 80)
    }

    #[test]
    fn an_ordinary_command_stays_as_it_is_but_for_the_folders() {
        let text = line(&["/usr/bin/python3", "train.py", "--max-tokens=512", "--lr", "1e-4"]);
        assert_eq!(text, "python3 train.py --max-tokens=512 --lr 1e-4");
        let text = line(&["vllm", "serve", "--tokenizer", "mistral", "--author", "x"]);
        assert!(text.starts_with("vllm serve --tokenizer mistral"), "{text}");
    }

    #[test]
    fn no_secret_is_shown_however_it_is_written() {
        for words in [
            &["x", "--token=hunter2"][..],
            &["x", "--api-key", "hunter2"],
            &["x", "--hf_token", "hunter2", "--lr", "1"],
            &["env", "WANDB_API_KEY=hunter2", "python"],
            &["mysql", "PASSWORD=hunter2"],
            &["x", "--url=postgres://me:hunter2@db/x"],
            &["git", "https://me:hunter2@host/repo"],
            &["curl", "-H", "Authorization: Bearer hunter2"],
            &["x", "https://host/file?sig=hunter2"],
            &["x", "hf_hunter2hunter2hunter2"],
            &["x", "--id=0123456789abcdefhunter20123456789abcdef"],
            &["sh", "-c", "export SECRET=hunter2; run"],
            &["x", "{\"lr\":1,\"token\":\"hunter2\"}"],
            &["x", "--env=A=1,DB_PASSWORD=hunter2"],
        ] {
            let text = line(words);
            assert!(!text.contains("hunter2"), "{words:?} is shown as {text:?}");
        }
    }

    #[test]
    fn control_characters_are_left_out() {
        assert_eq!(line(&["x", "a\u{1b}[31m\nb"]), "x a [31m b", "no colours, no lines");
    }

    #[test]
    fn a_long_command_is_cut_at_a_character() {
        let long = "ä".repeat(200);
        let text = line(&["x", &long]);
        assert_eq!(text.chars().count(), 81, "80 characters and the mark that there is more");
    }
}
