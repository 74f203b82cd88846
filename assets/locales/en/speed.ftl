## Axes of parallelism that talk to each other
group-tensor = Tensor parallelism
group-tensor-hint = Two all-reduces in every block and pass; nothing hides them, so the group should stay inside a node.
group-context = Context parallelism
group-context-hint = Keys and values go around a ring while attention computes on those that have arrived.
group-expert = Expert parallelism
group-expert-hint = Tokens are sent to their experts and back, in every block with experts.
group-pipeline = Pipeline stages
group-pipeline-hint = Activations go to the next stage and their gradients come back.
group-data = Data parallelism
group-data-hint = Gradients are summed over the copies, and sharded parameters gathered; most of it runs behind compute.

## Headline figures, why they are what they are
term-tokens-per-sec = Tokens per second, all GPUs
term-tokens-per-sec-per-gpu = Tokens per second, one GPU
term-model-flops = Model FLOPs of a step: 6 per active parameter and token (blocks and head, without the embedding), and attention in full, not halved for the causal mask
term-model-flops-frozen = Model FLOPs of a step: frozen parameters need no weight gradient, so 4 for each of them and 6 for each adapter parameter, and attention in full, not halved for the causal mask
term-mfu = Model FLOPs utilisation: model FLOPs over what the GPUs could do on paper, recomputation not counted
term-hfu = Hardware FLOPs utilisation: the same, recomputation counted
term-time-to-train = Time for all training tokens
term-peak-fallback = Peak rate: the card lacks the compute format and runs it in the nearest one it has
term-decode = Generated tokens per second, all sequences
term-decode-per-user = Generated tokens per second, one sequence
term-decode-ceiling = Ceiling: weights and cache read at the full memory bandwidth
term-first-token = Time to the first token of a lone prompt
term-prefill = Prompt tokens per second
term-cards = List price of all cards
term-bandwidth = Bytes moved to and from one GPU’s memory, per second
term-power = Mean power of one GPU
term-energy = Energy of all GPUs for all training tokens, kWh
term-energy-per-million = Energy of all GPUs for a million generated tokens, kWh
term-cost = Cost of all training tokens
term-cost-per-million = Cost of a million generated tokens
