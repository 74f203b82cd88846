## Headline figures
speed-title = Speed
speed-note = An estimate from a roofline; the fractions of the peaks that it rests on are listed below
speed-does-not-fit = This plan does not fit in memory, so none of these figures is reached. They say what it would do on a card with the same speed and more memory.
speed-why = How these figures are made
speed-unknown = unknown
speed-per-gpu = per GPU
speed-per-gpu-hint = Tokens trained on per second, divided by the number of GPUs. Every position of a sequence counts, padding too.
speed-in-all = in all
speed-in-all-hint = Tokens trained on per second by all GPUs together. Every position of a sequence counts, padding too.
speed-step = step time
speed-step-hint = One optimizer step with all its micro-batches.
speed-mfu = MFU
speed-mfu-hint = Model FLOPs utilisation: 6 operations per parameter and token plus attention, as a share of the card's peak.
speed-hfu = HFU
speed-hfu-hint = Hardware FLOPs utilisation: the same with recomputed operations counted.
speed-time = time to train
speed-time-hint = Without restarts, evaluation and data loading.
speed-gpu-hours = GPU hours
speed-gpu-hours-hint = Time to train, multiplied by the number of GPUs.
speed-energy = energy
speed-energy-hint = Of the cards alone, at their mean power; hosts and cooling come on top. Unknown where the power limit is not known.
speed-power = power of a GPU
speed-power-of-limit = { $share } of { $limit }
speed-power-hint = On average over the step: near the limit while arithmetic sets the pace, well below it while memory does, least while the GPU waits. The equation stands below.
speed-energy-million = energy per million
speed-energy-million-hint = Of the cards alone, for a million generated tokens; prompts, hosts and cooling come on top.
speed-cost-million = cost per million
speed-cost-million-hint = The price of the GPU hours in which a million tokens are generated; prompts come on top. Unknown without a price.
speed-cost = cost
speed-cost-hint = The price of a GPU hour in the plan, multiplied by the GPU hours; unknown without a price.
speed-cost-value = { $cost } USD
speed-cost-unset = set “{ $field }”
speed-decode = generated, all sequences
speed-decode-hint = Tokens generated per second by all sequences together.
speed-per-user = generated, one user
speed-per-user-hint = Tokens per second that one sequence receives.
speed-token-latency = per token
speed-token-latency-hint = Time between two generated tokens of one sequence.
speed-first-token = to the first token
speed-first-token-hint = Time until a lone request sees its first generated token.
speed-prefill = prompt
speed-prefill-hint = Prompt tokens processed per second.
speed-decode-ceiling = ceiling, all sequences
speed-decode-ceiling-hint = What full memory bandwidth would allow: a limit, not an estimate.
speed-bound-by = Bound by: { $bound }.

## Step time
time-title-step = Where the time of a step goes: { $total }
time-title-token = Where the time of a generated token goes: { $total }
time-part = Share of the time
time-row = { $part }: { $time }, { $share }. { $why }
step-description = Step time { $total }, in shares
step-segment = { $part } { $time }, { $share }
time-compute = Arithmetic
time-compute-hint = Matrix products and attention that are limited by the card's arithmetic.
time-memory = Memory bandwidth
time-memory-hint = Operations that wait for the card's memory: norms, activations, loss, and reading weights and cache when serving.
time-recompute = Recomputation
time-recompute-hint = Forward passes repeated in backward because of checkpointing.
time-communication = Exposed communication
time-communication-hint = Traffic between GPUs that no computation hides.
time-bubble = Pipeline bubble
time-bubble-hint = Stages that wait for their first or after their last micro-batch.
time-optimizer = Optimizer step
time-optimizer-hint = Reading and writing parameters, gradients and states.
time-host = Host transfers
time-host-hint = Traffic to and from host memory that no computation hides.
time-launch = Launches
time-launch-hint = Small operations that wait for the host to start them.

## What bounds the speed
bound-compute = Arithmetic
bound-compute-hint = A card with more FLOPS, a narrower number format or less recomputation would lift it.
bound-memory = Memory bandwidth
bound-memory-hint = A card with more bandwidth, larger batches, fused kernels or smaller weights would lift it.
bound-communication = Communication
bound-communication-hint = Faster links, less sharding across nodes, larger micro-batches or more accumulation would lift it.
bound-bubble = Pipeline bubble
bound-bubble-hint = More micro-batches, fewer stages or an interleaved schedule would lift it.
bound-host = Host link
bound-host-hint = Less offloading or a faster host link would lift it.
bound-launch = Launch latency
bound-launch-hint = Larger batches, compiled models or CUDA graphs would lift it.

## Roofline
roofline-title = Roofline
roofline-note = An operation left of the ridge waits for memory, right of it for arithmetic; larger points take more of the time. Operations without matrix arithmetic have no point: only the bytes that they move count.
roofline-x = FLOPs per byte moved
roofline-y = TFLOPS
roofline-bandwidth = { $memory } { $bandwidth }
roofline-memory = memory
roofline-host = host RAM over { $link }, { $bandwidth }
roofline-ceiling = { $dtype } { $peak }
roofline-hover = { $name }: { $intensity } FLOPs per byte, { $rate }

## What the roofline teaches
lesson-title = What this says
lesson-intensity = Arithmetic intensity is FLOPs divided by bytes moved. At { $peak } and { $bandwidth }, this card computes { $ridge } FLOPs in the time in which one byte arrives: its ridge. Left of it an operation waits for bytes, right of it for arithmetic.
lesson-operation-left = { $name }, { $share } of the operations’ time: { $intensity } FLOPs per byte, left of the ridge. Bound by: { $bound }.
lesson-operation-right = { $name }, { $share } of the operations’ time: { $intensity } FLOPs per byte, right of the ridge. Bound by: { $bound }.
lesson-operation-bytes = { $name }, { $share } of the operations’ time: bytes with next to no arithmetic, far left of the ridge. Bound by: { $bound }.
lesson-stacked = HBM against GDDR: this card’s { $memory } moves { $bandwidth }; the fastest GDDR card of the catalogue ({ $card }, { $other-memory }) moves { $other-bandwidth }. What waits for bytes would take { $times } times as long there.
lesson-not-stacked = HBM against GDDR: this card’s { $memory } moves { $bandwidth }; the fastest HBM card of the catalogue ({ $card }, { $other-memory }) moves { $other-bandwidth }. What waits for bytes takes { $times } times as long here.
lesson-host = VRAM against host RAM: { $link } brings { $bandwidth }. Reading the weights of one pass, { $weights }, takes { $near } from { $memory } and would take { $far } if they lay in host RAM: { $times } times as long, at the rates of the data sheets.
lesson-host-shared = VRAM against host RAM: CPU and GPU share this memory, so there is no link in between.
lesson-cache = The L2 cache ({ $size } MB) is faster than all of these, but makers do not print its bandwidth, so it has no line.

## Operations
operations-name = Operation
operations-time = Time
operations-flops = TFLOP
operations-bytes = Moved
operations-intensity = FLOPs/byte
operations-bound = Bound by
operations-row = { $name }: { $time }, { $share }, bound by { $bound }
op-matmul = Matrix products
op-matmul-hint = Products with the weights of the blocks.
op-attention = Attention
op-attention-hint = Scores, softmax and weighted values.
op-elementwise = Element by element
op-elementwise-hint = Norms, activations, residual additions and rotary embedding: little arithmetic on many bytes.
op-head = Output head
op-head-hint = The product with the vocabulary.
op-loss = Loss
op-loss-hint = Softmax and cross-entropy over the vocabulary.
op-dequantise = Unpacking weights
op-dequantise-hint = Turning quantised weights into 16-bit ones before they are multiplied.
op-optimizer = Optimizer
op-optimizer-hint = Reading and writing parameters, gradients and states.

## Achieved fractions
fractions-title = What the estimate rests on
fractions-note = Nothing reaches the peak of its data sheet; these fractions were measured on similar hardware, or are assumed where it says so
fractions-of = Fraction
fractions-value = Achieved
fractions-source = Source
fractions-row = { $name }: { $value }. { $source }
table-cell-tip = { $title }: { $text }
fraction-matmul = of peak arithmetic, matrix products
fraction-attention = of peak arithmetic, attention
fraction-bandwidth = of memory bandwidth
fraction-node-link = of the link inside a node
fraction-network = of the network between nodes
fraction-overlap = of communication hidden

## Traffic between GPUs
traffic-title = Traffic between GPUs
traffic-note = Per step (or generated token) on the busiest GPU; what computation hides costs no time
traffic-group = Group
traffic-ranks = GPUs
traffic-hidden = Hidden
traffic-exposed = Exposed
traffic-link = Link
traffic-across-nodes = across nodes
traffic-inside-node = inside a node
traffic-row = { $group } over { $ranks } GPUs: { $time }, of which { $exposed } exposed
