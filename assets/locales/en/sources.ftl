# Where equations and constants come from. Works are cited as they are in every language.

## Memory
source-traced = traced storages of real training steps (torch 2.15, transformers 5.24), see docs/engine.md
source-traced-backward = order of births and deaths in traced backward passes; an estimate
source-traced-fsdp = order of gathers and reductions in traced FSDP2 steps; inside a block's backward an upper estimate
source-nccl-buffers = NVIDIA/nccl issue 964: per communicator, A100; NCCL's own channels and peers differ by topology
source-contexts = measured contexts with lazy loading, by architecture (catalogue, overheads)
source-cublas-workspace = PyTorch's default cuBLAS workspace per handle and stream (pytorch pull 89027, 175344)
source-allocator = PyTorch's caching allocator: open segments, and fragmentation of what comes and goes (share chosen, not fitted)
source-ddp-buckets = torch DistributedDataParallel: buckets beside the gradients (gradient_as_bucket_view is off by default)
source-flash-kernel = FlashAttention 2, buffers that its backward allocates
source-deepspeed-bucket = DeepSpeed's configuration defaults: reduce_bucket_size 5e8
source-deepspeed-live = DeepSpeed's configuration defaults: stage3_max_live_parameters 1e9
source-sequence-parallel = Korthikanti et al. 2022, arXiv:2205.05198, section 4.2: gathered input and its gradient
source-pipeline-messages = one activation received and one gradient sent between stages
source-parameter-shapes = definition; parameter shapes of the reference implementation
source-weight-format = storage of the format with its scales; only the linear layers are quantised
source-lora = Hu et al. 2021, arXiv:2106.09685: r·(inputs + outputs) for each adapted linear
source-gradients = definition: one gradient per trained parameter, none for frozen ones
source-optimizer-states = state sizes made by the libraries' own code (torch, bitsandbytes, torchao)
source-master-weights = Micikevicius et al. 2017, arXiv:1710.03740, section 3.1
source-kv-cache = definition: one key and one value (or one latent) per token and layer; sliding layers keep their window
source-serving-workspace = largest intermediate tensors of one block, 2·(4·h + (2·A + 2·K + 3·f)/t); prompts beyond 8,192 tokens are taken in chunks
source-serving-logits = logits of the last position in 16 and 32 bits

source-offload = one block in use and the next; embedding and head stay
source-megatron-runs = published Megatron and Transformer Engine runs that print live-tensor peaks

## Speed
source-definition = definition
source-roofline = Williams, Waterman, Patterson 2009, Roofline
source-ring = nccl-tests, Performance: ring algorithm
source-pipeline = Narayanan et al. 2021, arXiv:2104.04473; Qi et al. 2024, arXiv:2401.10241
source-utilisation = Chowdhery et al. 2022, arXiv:2204.02311, appendix B
source-catalogue-price = list price in the catalogue, of the year in which the card came out
source-power = shares of the limit: Chung et al. 2026, arXiv:2601.22076; Ma et al. 2026, arXiv:2605.11999; that of communication is assumed
source-micro-benchmarks = mamf-finder (ml-engineering), gpu_benchmark sweeps, BabelStream, gpu-benches, FlashAttention-2 benchmark
source-link-benchmarks = nccl-tests rows of the link catalogue
source-assumed = assumed
