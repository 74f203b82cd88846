# What is wrong or doubtful about a plan, and what to do about it.

issue-unknown-model = There is no model “{ $name }” in the catalogue; choose one, such as { $closest }
issue-unknown-gpu = There is no GPU “{ $name }” in the catalogue; choose one, such as { $closest }

# Sizes
issue-zero = { $field } is too small; set it to { $least } or more
issue-above-limit = { $field } is { $value }; the largest value is { $limit }
issue-not-positive = { $field } must be a number above 0 and at most { $limit }
issue-price = The price must be a number from 0 on; leave it out if it is unknown
issue-lora-dropout = The dropout of the adapters must be a probability from 0 on and below 1
issue-uncountable-model = The model would take more than 64 PiB; lower its widths, layers or experts
issue-uncountable = One rank would keep more than 64 PiB; lower the sequence length, the number of sequences or the layers

# Model
issue-architecture = The field “{ $name }” of the model { $rule }; correct it in the model's editor
issue-architecture-limit = The field “{ $name }” of the model is { $value }; the largest value is { $limit }
issue-mla-head-dim = With latent attention the head dimension is the sum of its two parts: set it to { $sum } instead of { $head-dim }
issue-no-positions = The table of positions has no rows; give it one row for each position, or choose rotary positions

# Hardware
issue-gpu = The field “{ $name }” of the GPU { $rule }; correct it in the GPU's editor
issue-gpu-limit = Memory or bandwidth of the GPU is absurdly large; memory is in GB, bandwidth in GB/s
issue-bandwidth-mismatch = A bandwidth of { $given } does not agree with data rate × bus width / 8 = { $computed }; the data rate is the effective one, already doubled
issue-memory-in-use = Other programs already use { $used } of { $capacity }; close them or choose a larger GPU
issue-unified-memory = The GPU shares its memory with the processor and the system; { $capacity } are taken as usable, and programs that are open take from them
issue-other-vendor = Context, allocator and achieved fractions were measured on NVIDIA cards; for { $vendor } the band is only a rough guide
issue-node-not-full = { $rest } GPUs are left for the last node; with { $per-node } a node, give every node the same number

# Workload
issue-step-tokens = A step would take more than { $limit } tokens; lower the micro-batch or the accumulation
issue-beyond-positions = { $tokens } tokens are more than the model's table of { $rows } positions; shorten the sequence to { $rows }
issue-beyond-context = { $tokens } tokens are more than the { $most } the model was made for; shorten them, or expect worse answers
issue-lora-rank = A rank of { $rank } is not low beside a width of { $hidden }; choose 8 to 256, or full training
issue-lora-dtype = Adapters cannot be trained in { $dtype }; choose fp32, bf16 or fp16
issue-lora-tied = Embedding and output head of this model are one matrix, so that it is trained once
issue-qlora-plain = QLoRA means frozen weights of 4 or 8 bits; choose such a weight format, or LoRA as the method
issue-lora-quantised = LoRA on quantised weights is QLoRA; choose QLoRA as the method, or a 16-bit weight format
issue-q4km-training = The format of llama.cpp cannot be trained on; choose 4-bit NormalFloat

# Precision
issue-dtype-missing = { $gpu } cannot multiply in { $dtype }; choose one of: { $instead }
issue-int8-training = Training does not run in int8; choose bf16, or int8 as the weight format of QLoRA
issue-fp4-training = Training in fp4 is experimental; the estimate leaves out the copies that its recipes keep
issue-stored-dtype = Parameters and gradients cannot be kept in { $dtype }; choose fp32, bf16 or fp16
issue-reduce-dtype = Gradients cannot be reduced in { $dtype }; choose fp32, bf16 or fp16
issue-mixed-none = Parameters in { $params } do not meet products in { $compute } by themselves; choose autocast, master weights, or the same format for both
issue-pure-16bit = Without an fp32 copy, small updates are rounded away; that saves memory and can cost quality
issue-autocast-16bit = Autocast is made for fp32 parameters; choose fp32 parameters, or no mixed precision
issue-autocast-fp32 = Autocast to fp32 changes nothing; choose bf16 products, or no mixed precision
issue-gather-16bit = Casting at the gather is made for fp32 shards; choose fp32 parameters, or master weights
issue-gather-unsharded = Casting at the gather needs sharded parameters; choose ZeRO-3 / FSDP sharding, or autocast
issue-master-fp32 = fp32 parameters need no master copy; choose bf16 parameters, or no mixed precision
issue-state-dtype = Optimizer states cannot be kept in { $dtype } by this choice; choose fp32, bf16 or fp16, or an 8-bit optimizer
issue-state-dtype-fixed = This optimizer has its own state format; the choice of one has no effect

# Parallelism
issue-gpus-too-few = { $gpus } GPUs are too few for { $tensor } (tensor) × { $pipeline } (pipeline) × { $context } (context) = { $product }; take { $product } or lower a degree
issue-gpus-not-multiple = { $gpus } GPUs are not a multiple of { $tensor } (tensor) × { $pipeline } (pipeline) × { $context } (context) = { $product }; take { $below } or { $above }
issue-tensor-heads = { $heads } query heads cannot be divided by { $tensor }; choose a tensor-parallel degree of { $instead }
issue-tensor-kv-heads = { $heads } key-value heads can neither be divided by { $tensor } nor copied evenly; choose a tensor-parallel degree that divides them or that they divide
issue-tensor-kv-copies = { $heads } key-value heads are fewer than { $tensor } ranks, so each head is kept several times; a lower tensor-parallel degree avoids that
issue-tensor-width = The width “{ $name }” of { $width } cannot be divided by { $tensor }; choose a tensor-parallel degree of { $instead }
issue-tensor-vocab = The vocabulary of { $vocab } is not a multiple of { $tensor }; frameworks pad it with unused rows
issue-tensor-node = { $tensor } tensor-parallel ranks do not fit in a node of { $per-node }, so every layer waits for the network; lower the degree and add pipeline stages
issue-sequence-parallel = { $sequence } tokens cannot be divided among { $tensor } tensor-parallel ranks; change the length, or turn sequence parallelism off
issue-context-uneven = A sequence of { $sequence } cannot be divided among { $context } ranks; take { $above } tokens or another degree
issue-context-unbalanced = Causal ring attention is balanced when { $pieces } divides the sequence; take { $above } tokens instead of { $sequence }
issue-context-attention = Context parallelism needs a kernel that does not write the scores; choose flash attention
issue-sharding-alone = There is one data-parallel rank only, so sharding changes nothing; add GPUs or turn it off
issue-replicas-unsharded = Without sharding every rank is a full copy; choose a sharding or 1 replica
issue-replicas = { $ranks } data-parallel ranks cannot be divided into { $replicas } replicas; choose a number that divides them

# Pipeline
issue-pipeline-layers = { $stages } pipeline stages are more than the { $layers } layers; take at most one stage a layer
issue-stage-layers = First and last stage take { $taken } of { $layers } layers, which leaves less than one each for { $stages } stages between; give them fewer
issue-stage-layers-sum = First and last stage are all there are, and take { $taken } of { $layers } layers; make them add up to { $layers }
issue-chunks = { $chunks } chunks are more than the { $layers } layers; lower the chunks of a stage or the stages
issue-one-chunk = Interleaving with one chunk a stage is the plain schedule; take 2 or more, or choose one forward, one backward
issue-interleaved-micro-batches = The interleaved schedule runs in rounds of { $stages } micro-batches; take { $above } instead of { $micro-batches }
issue-few-micro-batches = { $micro-batches } micro-batches cannot fill { $stages } stages, so most of them wait; accumulate { $stages } or more, better four times as many

# Experts
issue-expert-without-experts = The model has no experts to divide; set expert parallelism to 1, or choose a mixture-of-experts model
issue-expert-uneven = { $experts } experts cannot be divided among { $expert } ranks; choose { $instead }
issue-expert-tensor-width = Experts of width { $width } cannot be divided by { $tensor }; choose an expert tensor-parallel degree that divides it
issue-expert-ranks = { $expert } (expert) × { $tensor } (expert tensor) = { $group } ranks do not divide the { $ranks } ranks of data, context and tensor parallelism; lower one of them
issue-expert-node = { $expert } expert-parallel ranks span nodes of { $per-node }; tokens travel over the network twice a layer
issue-expert-huggingface = The Hugging Face Trainer has no expert parallelism; choose the profile of Megatron, DeepSpeed or FSDP2

# Optimizer
issue-in-backward-accumulation = A step inside backward frees every gradient at once, so that { $micro-batches } micro-batches cannot be accumulated; set accumulation to 1
issue-in-backward-clipping = A step inside backward never sees all gradients together; turn clipping by the total norm off
issue-in-backward-framework = DeepSpeed and Megatron run their own optimizer step; turn the step inside backward off, or choose another profile

# Checkpointing
issue-core-attention-flash = Flash attention keeps no scores, so there is nothing to recompute here; choose a wider policy to save memory
issue-every-nth = Every { $every }th of { $layers } layers is none; choose a smaller number

# Framework
issue-huggingface-parallel = The Hugging Face Trainer does not divide a model like this by itself; choose the profile of Megatron, DeepSpeed or FSDP2
issue-huggingface-sharding = The Hugging Face Trainer shards through FSDP or DeepSpeed; choose that profile for its buffers
issue-huggingface-offload = The Hugging Face Trainer offloads through FSDP or DeepSpeed; choose that profile
issue-fsdp-zero1 = FSDP2 has no mode that shards optimizer states alone; choose ZeRO-2 or ZeRO-3
issue-fsdp-zero2 = In FSDP2 this is full sharding without resharding after forward
issue-fsdp-offload = FSDP2 offloads parameters, gradients and optimizer states together
issue-deepspeed-pipeline = DeepSpeed's pipeline works with ZeRO-1 at most; choose ZeRO-1 or one stage
issue-deepspeed-param-offload = DeepSpeed offloads parameters with ZeRO-3 only; choose ZeRO-3, or offload optimizer states
issue-deepspeed-offload = DeepSpeed offloads optimizer states with ZeRO-1 to 3; choose a sharding
issue-megatron-sharding = Megatron's distributed optimizer corresponds to ZeRO-1; more sharding takes its FSDP variant
issue-megatron-optimizer = Megatron has AdamW, SGD and Muon; choose one of them or another profile
issue-megatron-offload = Megatron offloads optimizer states, not parameters; choose the former
issue-keep-logits = This loss makes no full logits, so that there is nothing to keep
