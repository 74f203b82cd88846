//! throwaway
#![allow(warnings)]
use std::collections::HashMap;
use vramplan::{catalogue::*, plan::*, throughput::{self, Figures, TimePart}, plan::Choice};
fn rows(path: &str) -> Vec<HashMap<String,String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<Vec<String>> = vec![]; let mut row=vec![]; let mut f=String::new(); let mut q=false;
    let mut it=text.chars().peekable();
    while let Some(c)=it.next(){ match c { '"' if q && it.peek()==Some(&'"') => {f.push('"');it.next();} '"'=>q=!q, ',' if !q=>{row.push(std::mem::take(&mut f));} '\n' if !q=>{row.push(std::mem::take(&mut f));lines.push(std::mem::take(&mut row));} '\r'=>{}, c=>f.push(c)}}
    let head=lines.remove(0);
    lines.into_iter().filter(|l|l.len()==head.len()).map(|l| head.iter().cloned().zip(l).collect()).collect()
}
fn n(r:&HashMap<String,String>,k:&str)->Option<f64>{ r.get(k).and_then(|v|v.parse().ok()) }
fn dt(s:&str)->Dtype{ match s{"fp32"=>Dtype::Fp32,"fp16"=>Dtype::Fp16,"fp8"=>Dtype::Fp8,"fp4"=>Dtype::Fp4,_=>Dtype::Bf16}}
fn plan(r:&HashMap<String,String>, cat:&Catalogue)->Option<Plan>{
    let s=|k:&str| r.get(k).map(|x|x.as_str()).unwrap_or("");
    let mut p=Plan::default();
    let base = s("model").to_string();
    p.model = if let Some(m)=cat.model(&base){ ModelChoice::Catalogue(m.id.clone()) } else if base.contains("llama-3-70b-12l") {
        let mut a=cat.model("llama-3-70b").unwrap().architecture.clone(); a.layers=12; ModelChoice::Custom(Box::new(CustomModel{name:base.clone(),architecture:a,proposed_from:None})) } else {
        let h=n(r,"hidden")? as u32; let heads=n(r,"heads")? as u32;
        let mut a=cat.model("gpt2").unwrap().architecture.clone();
        a.hidden=h;a.layers=n(r,"layers")? as u32;a.heads=heads;a.kv_heads=n(r,"kv_heads").map_or(heads,|x|x as u32);
        a.head_dim=n(r,"head_dim").map_or(h/heads,|x|x as u32); a.ffn=n(r,"ffn").map_or(4*h,|x|x as u32);
        a.gated_mlp=s("gated_mlp")=="yes"; a.vocab=n(r,"vocab").unwrap_or(51200.0) as u32; a.tied=s("tied")!="no";a.activation=Activation::Gelu;
        if a.gated_mlp {a.norm=Norm::RmsNorm;a.positions=Positions::Rotary;a.dropout=0.0;}
        if let Some(e)=n(r,"experts"){ a.moe=Some(Moe{experts:e as u32,topk:n(r,"topk")? as u32,expert_ffn:n(r,"expert_ffn")? as u32,shared_ffn:0,first_dense:0}); }
        ModelChoice::Custom(Box::new(CustomModel{name:base.clone(),architecture:a,proposed_from:None})) };
    let mut g=cat.gpu(s("gpu"))?.clone();
    if let Some(b)=n(r,"gpu_bandwidth_gbps"){g.bandwidth_gbps=b;}
    p.hardware.gpu=GpuChoice::Custom(Box::new(g));
    p.hardware.gpus=n(r,"gpus")? as u32; p.hardware.gpus_per_node=n(r,"gpus_per_node").unwrap_or(8.0) as u32;
    if s("gpu").starts_with("NVIDIA GB"){p.hardware.gpus_per_node=72;}
    if s("gpu").starts_with("NVIDIA A100"){p.hardware.network_gbits_per_gpu=200.0;}
    if let Some(x)=n(r,"internode_gbps"){ p.hardware.network_gbits_per_gpu=x; }
    if s("nvlink")=="no"{p.hardware.node_link=NodeLink::Pcie;}
    let par=&mut p.parallelism;
    par.tensor=n(r,"tp").unwrap_or(1.0) as u32;par.pipeline=n(r,"pp").unwrap_or(1.0) as u32;par.context=n(r,"cp").unwrap_or(1.0) as u32;par.expert=n(r,"ep").unwrap_or(1.0) as u32;
    par.sequence_parallel=s("sp")=="yes"; if let Some(v)=n(r,"vpp"){par.virtual_stages=v as u32;}
    if let Some(v)=n(r,"etp"){par.expert_tensor=Some(v as u32);}
    par.schedule=match s("schedule"){"interleaved"=>Schedule::Interleaved,"zb-h1"=>Schedule::ZeroBubbleH1,"zb-h2"=>Schedule::ZeroBubbleH2,_=>Schedule::OneForwardOneBackward};
    par.sharding=match s("shard"){"fsdp"|"zero3"=>Sharding::Zero3,"zero2"=>Sharding::Zero2,"zero1"|"distopt"=>Sharding::Zero1,_=>Sharding::None};
    par.reduce_dtype=if s("reduce_dtype")==""{Dtype::Fp32}else{dt(s("reduce_dtype"))};
    let w=&mut p.workload; w.sequence=n(r,"seq")? as u32;w.micro_batch=n(r,"micro_batch").unwrap_or(1.0) as u32;
    let dp=n(r,"dp").unwrap_or(1.0);
    w.accumulation=n(r,"accum").or_else(||Some(n(r,"global_batch")?/dp/n(r,"micro_batch")?)).unwrap_or(1.0).max(1.0) as u32;
    w.method=match s("method"){"lora"=>Method::Lora,"qlora"=>Method::Qlora,"full"|""=>Method::Full,_=>return None};
    if let Some(k)=n(r,"lora_rank"){w.lora.rank=k as u32;}
    w.lora.targets=match s("lora_targets"){"q,v"=>LoraTargets::QueryValue,"qkv"|"q,k,v"=>LoraTargets::Qkv,"q,k,v,o"=>LoraTargets::Attention,_=>LoraTargets::AllLinear};
    w.lora.dtype=dt(s("lora_dtype"));
    if s("lora_dtype")==""{w.lora.dtype=Dtype::Fp32;}
    let q=&mut p.precision;q.param_dtype=dt(s("param_dtype"));q.compute_dtype=dt(s("compute_dtype"));q.grad_dtype=dt(s("grad_dtype"));
    q.mixed=match s("mixed_precision"){"master"=>MixedPrecision::MasterWeights,"fsdp"=>MixedPrecision::CastAtGather,"autocast"=>MixedPrecision::Autocast,_=>MixedPrecision::None};
    q.weight_format=match s("base_format"){"fp16"=>WeightFormat::Fp16,"fp32"=>WeightFormat::Fp32,"nf4"=>WeightFormat::Nf4,"nf4-dq"=>WeightFormat::Nf4Double,"gptq4"|"awq4"=>WeightFormat::Int4Group128,"int8"|"gptq8"=>WeightFormat::Int8,"fp8"=>WeightFormat::Fp8,"q4_k_m"=>WeightFormat::Q4KM,"int4-g32"|"int4-g64"|"q4f16_1"=>WeightFormat::Int4Group32,_=>WeightFormat::Bf16};
    p.optimizer.implementation=if s("optimizer_impl")=="fused"{StepKernel::Fused}else{StepKernel::Foreach};
    if s("optimizer")=="adamw8bit"{p.optimizer.kind=OptimizerKind::AdamW8bit;}
    let c=s("checkpointing");
    p.checkpointing.policy=if c=="full"{CheckpointPolicy::Full}else if c.starts_with("every"){CheckpointPolicy::EveryNth}else if c=="selective:core-attention"||c=="selective:modules"{CheckpointPolicy::CoreAttention}else if c.starts_with("selective:attention+alt"){CheckpointPolicy::SelectiveAlternateMatmul}else if c.starts_with("selective:attention+mat"){CheckpointPolicy::SelectiveMatmul}else if c=="selective:attention"{CheckpointPolicy::SelectiveAttention}else{CheckpointPolicy::None};
    let f=&mut p.framework;
    f.profile=match s("framework"){"torchtitan"|"fsdp"|"llm-foundry"=>Profile::Fsdp2,"deepspeed"=>Profile::DeepSpeed,"megatron"|"vtrain"|"internevo"|"other:llm.c"|"nemo"=>Profile::Megatron,"transformers"|"litgpt"|"hf"=>Profile::HuggingFace,_ if s("task")=="decode"||s("task")=="prefill"=>Profile::Megatron,_=>Profile::HuggingFace};
    f.compile=s("compile")=="yes";
    f.attention=if s("attention")=="eager"{AttentionKernel::Eager}else{AttentionKernel::Flash};
    f.loss=match s("loss"){"fused"=>LossKind::Fused,"full-16bit"=>LossKind::Full16,"chunked"=>LossKind::Chunked,_=>LossKind::Full};
    f.offload=match s("offload"){"optimizer"=>Offload::Optimizer,"optimizer+params"=>Offload::OptimizerAndParams,_=>Offload::None};
    p.checkpointing.offload=s("offload")=="activations";
    if s("task")=="decode"||s("task")=="prefill"{ let w=&mut p.workload;w.task=Task::Inference;w.concurrency=n(r,"micro_batch").unwrap_or(1.0) as u32;w.prompt_tokens=n(r,"prompt_len").unwrap_or(0.0) as u32;w.generated_tokens=n(r,"gen_len").unwrap_or(0.0) as u32; p.precision.kv_dtype=Dtype::Bf16; p.precision.compute_dtype=if s("base_format")=="fp8"{Dtype::Fp8}else{Dtype::Bf16};}
    Some(p)
}
fn key(r:&HashMap<String,String>)->String{ let id=&r["id"]; let v:Vec<&str>=id.split('-').collect(); let b= if v[0]=="inf"{format!("{}-{}-{}",v[0],v[1],r["framework"])}else{v[0].to_string()}; b }
#[test]
fn rows_compare(){
    let cat=Catalogue::embedded();
    let dir=std::env::var("ROWS").unwrap();
    let show=std::env::var("SHOW").unwrap_or_default();
    for file in ["train.csv","inference.csv"]{
        let mut err:HashMap<String,Vec<f64>>=HashMap::new(); let mut all=vec![];
        for r in rows(&format!("{dir}/{file}")){
            let m=r["speed_metric"].clone(); if m.is_empty(){continue;}
            let k=key(&r);
            let Some(p)=plan(&r,&cat) else { println!("SKIP {} {} {}",r["id"],r["model"],r["gpu"]); err.entry(k).or_default().push(9.0); all.push(9.0f64); continue };
            let (Some(arch),Some(gpu))=(p.architecture(&cat),p.gpu(&cat)) else {println!("UNRES {}",r["id"]);continue};
            let res=Resolved{plan:&p,arch,gpu,catalogue:&cat,layout:p.layout()};
            let e=throughput::estimate(&res);
            let pred=match (&e.figures,m.as_str()){
                (Figures::Training(t),"tokens_per_s_per_gpu")=>t.tokens_per_sec_per_gpu,(Figures::Training(t),"step_s")=>1.0/t.step.0,(Figures::Training(t),"hfu")=>t.hfu,(Figures::Training(t),"mfu")=>t.mfu,
                (Figures::Serving(t),"decode_tokens_per_s")=>t.decode_tokens_per_sec,(Figures::Serving(t),"prefill_tokens_per_s")=>t.prefill_tokens_per_sec,(_,o)=>{println!("metric {o}");continue}};
            let mut meas=n(&r,&m).unwrap(); if m=="step_s"{meas=1.0/meas;}
            let x=pred/meas-1.0;
            let k= if m.starts_with("prefill"){k+"-prefill"}else{k};
            if k.starts_with(&show)&&!show.is_empty(){ print!("{} {} {} pred {:.1} meas {:.1} {:+.0}% |",r["id"],r["model"],r["gpu"],pred,meas,x*100.0); for (t,s) in &e.time{print!(" {}={:.4}",t.key(),s.0);} for o in &e.operations{print!(" {}={:.4}",o.class.key(),o.time.0);} for c in &e.communication{print!(" {}={:.4}/{:.4}",c.group.key(),c.time.0,c.exposed.0);} println!(); }
            err.entry(k).or_default().push(x); all.push(x);
        }
        let stat=|v:&Vec<f64>|{let mut a:Vec<f64>=v.iter().map(|x|x.abs()).collect();a.sort_by(f64::total_cmp);let mut b=v.clone();b.sort_by(f64::total_cmp);format!("n={:3} med|e|={:5.1}% p90={:6.1}% bias={:+.1}%",a.len(),a[a.len()/2]*100.0,a[(a.len()*9/10).min(a.len()-1)]*100.0,b[b.len()/2]*100.0)};
        let mut ks:Vec<_>=err.keys().cloned().collect();ks.sort();
        for k in ks{println!("{:28} {}",k,stat(&err[&k]));}
        println!("== {file} {}",stat(&all));
    }
}
