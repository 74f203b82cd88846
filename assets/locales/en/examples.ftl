# The presets that come with the program: title and note of each file, in its own words.

example-qlora-8b-24gb = 8B QLoRA on one 24 GB card
example-qlora-8b-24gb-note = Can I fine-tune Llama 3.1 8B at home? With the base weights in 4 bits and adapters on every linear layer it fits with room to spare. Raise the sequence length until it no longer does, and see which part grows.
example-full-7b-24gb = 7B full fine-tuning on one 24 GB card: why not?
example-full-7b-24gb-note = 16-bit weights of a 7B model take 13 GiB, so why does full fine-tuning not fit in 24 GB? Parameters are the small share: gradients, two Adam moments and the fp32 master copy take 14 bytes more for each. Compare with pure bf16 and an 8-bit optimizer, and then with QLoRA.
example-qlora-70b-48gb = 70B QLoRA on one 48 GB card
example-qlora-70b-48gb-note = The claim of the QLoRA paper, looked at closely: the 4-bit layers take 33 GiB, but embedding and output head stay in 16 bits and add almost 4. What is left decides the sequence length.
example-gpt2-small = GPT-2 small: learn by moving sliders
example-gpt2-small-note = A model small enough for every card, with nothing recomputed, so that every part can be seen. Double the micro-batch: activations and logits double, the rest stays. Back to 4, switch attention to eager: the scores are kept now. Double the sequence to 1,024, the longest that GPT-2 knows: the scores grow four times, and the card is full.
example-fsdp-8b-8xh100 = 8B pre-training with FSDP on 8 H100, torchtitan
example-fsdp-8b-8xh100-note = The first recipe of torchtitan: fully sharded data parallelism on one node, fp32 shards that are cast to bf16 as they are gathered, and every other matrix product kept. The logits of a 128k vocabulary are one of the largest parts: try the chunked loss.
example-pretrain-70b-256xh100 = 70B pre-training on 256 H100: TP 8, PP 4
example-pretrain-70b-256xh100-note = Tensor parallelism inside the node, four pipeline stages, eight data-parallel replicas with a distributed optimizer. Nothing has to be recomputed. The first stage holds four micro-batches at once and the last only one: see how differently they are filled.
example-pretrain-405b-1024xh100 = 405B on 1024 H100: 126 layers on 16 stages
example-pretrain-405b-1024xh100-note = 126 layers do not divide by 16, and need not: the first stage also holds the embedding and the last the output head, so both take 7 layers and the others 8. Turn recomputation off, and the first stages overflow: they hold up to 16 micro-batches at once.
example-mixtral-expert-parallel = Mixtral 8x7B with expert parallelism on 64 H100
example-mixtral-expert-parallel-note = A token uses 13 of 47 billion parameters, but all of them have to be somewhere. Eight ranks hold one expert each of every layer. Set expert parallelism to 1, and each GPU holds all eight.
example-deepseek-v3-2048xh800 = DeepSeek-V3 on 2048 H800
example-deepseek-v3-2048xh800-note = After the technical report (arXiv:2412.19437): 16 pipeline stages for 61 layers, experts over 64 ranks, no tensor parallelism, products in fp8, Adam moments in bf16. A token crosses the network once a node, and behind the computation of another micro-batch, as in its DualPipe schedule; for the rest, one forward, one backward stands for that, and whole blocks for its selective recomputation. The estimate is a quarter above the report's 2.66 M GPU hours of pre-training; its limit of four nodes a token is not modelled.
example-serve-8b-64-users = Serving 8B for 64 users on one 48 GB card
example-serve-8b-64-users-note = The weights are paid once, the cache for every user. How many more fit, and what does each of them still get? Try the cache in fp8, and longer answers.
example-serve-70b-4bit-2x24gb = Serving 70B in 4 bits on two 24 GB cards
example-serve-70b-4bit-2x24gb-note = A favourite at home: each card holds half of every layer. The weights alone take most of the memory, so the length of the conversation is what is negotiated. Without a bridge the cards talk over PCI Express.
example-custom-13b-and-card = A 13B model and a card of one's own
example-custom-13b-and-card-note = Neither the model nor the card is in the catalogue: both are described in this file. Would LoRA fit, if somebody built a 64 GB card with GDDR7 on a bus of 512 bits?
