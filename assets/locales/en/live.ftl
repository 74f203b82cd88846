# Attached GPUs: why a sensor or a source says nothing, and what to do.

live-missing-not-supported = This card, or its driver's mode, has no such sensor
live-missing-no-permission = You may not read this; an administrator can allow it
live-missing-function = The driver is too old for this: it lacks { $function }
live-missing-gpu-lost = The GPU no longer answers: it has fallen off the bus
live-missing-not-available = The driver does not say this here (Windows, WSL and containers hide it)
live-missing-not-reported = The source does not report this
live-missing-code = The driver answered with a code that is not known here: { $code }

live-throttle-idle = Nothing runs, so the clocks are low
live-throttle-application-clocks = Somebody set lower clocks
live-throttle-power-cap = The power limit holds the clocks back
live-throttle-hardware = The hardware slows down (heat, power or a fault)
live-throttle-sync-boost = It keeps pace with the other GPUs of its group
live-throttle-thermal-software = The driver slows it down, so that it does not get too hot
live-throttle-thermal-hardware = It is too hot, so the hardware slows it down
live-throttle-power-brake = The power supply asked it to slow down
live-throttle-display-clocks = The display's clocks hold it back
live-throttle-unknown = Another reason that is not known here

live-fault-no-gpus = The driver runs, but finds no NVIDIA GPU
live-remedy-no-gpus = Check that the card is seated and powered, and that this container or session may see it; then retry
live-fault-no-library = NVIDIA's library is not installed or cannot be loaded: { $reason }
live-remedy-no-library = Install NVIDIA's driver (on Debian: nvidia-driver; in a container: start it with GPU access) and retry
live-fault-driver-not-loaded = NVIDIA's library is there, but the driver is not loaded
live-remedy-driver-not-loaded = Load it (“modprobe nvidia”) or restart the computer, then retry
live-fault-version-mismatch = NVIDIA's library and the loaded driver have different versions, as after an update
live-remedy-version-mismatch = Restart the computer, or unload and load the driver's module anew; then retry
live-fault-no-permission = You may not talk to NVIDIA's driver
live-remedy-no-permission = Ask for access to /dev/nvidia* (often the group “video” or “render”, or the container's GPU option); then retry
live-fault-old-library = The library that was loaded is not NVIDIA's, or far too old: { $reason }
live-remedy-old-library = Update NVIDIA's driver and retry
live-fault-code = NVIDIA's driver answered with a code that is not known here: { $code }
live-fault-driver = NVIDIA's driver cannot be read: { $reason }
live-remedy-code = Look at what “nvidia-smi” says, restart the computer if it fails as well, then retry
live-fault-without-nvml = This vramplan was built without support for attached NVIDIA GPUs
live-remedy-without-nvml = Use a build with the feature “nvml”, or play a recording
live-fault-no-thread = The system has no room for another thread: { $reason }
live-remedy-no-thread = Close other programs and retry
live-fault-worker-ended = The part that reads the GPUs has stopped unexpectedly
live-remedy-worker-ended = Retry; planning goes on meanwhile
live-fault-no-prometheus = This vramplan cannot read Prometheus servers
live-remedy-no-prometheus = Read the GPUs of this machine, or play a recording

live-record-not-started = Nothing is being read, so there is nothing to record; start reading first
live-record-failed = The recording ended, because { $path } cannot be written: { $reason }. Free some space or choose another file

live-replay-unreadable = { $path } cannot be read: { $reason }
live-replay-other = { $path } is not a recording of vramplan
live-replay-version = { $path } has format version { $found }, and this vramplan reads version { $known }
live-replay-empty = { $path } has no samples
live-replay-line = { $path }, line { $line }, column { $column }: { $reason }
live-remedy-replay = Choose another recording, or correct the file and retry

live-hardware-found = This is { $name } of the catalogue
live-hardware-other-memory = The name is that of { $name }, but the memory is not: { $found } instead of { $known }. The rates are the catalogue's, the memory is what the driver reports
live-hardware-described = { $name } is not in the catalogue, so it is described by what the driver says: { $equation }
live-hardware-no-rates = How fast it computes is not known, so no speed is estimated until you enter a rate
live-hardware-no-name = The GPU does not tell its name, so it cannot be used; choose the card in the catalogue
live-hardware-no-memory = { $name } does not tell how much memory it has; choose the card in the catalogue
live-hardware-no-bandwidth = { $name } is not in the catalogue and does not tell its memory bus or clock; describe it by hand as a custom card

live-calibrate-no-process = No process { $pid } uses this GPU any more; choose another one
live-calibrate-hidden = The driver does not tell how much this process holds, so nothing can be measured with it
live-calibrate-not-idle = This process holds { $bytes }; one that only has its context holds between { $least } and { $most }. Start Python, run “torch.cuda.init()” and choose that process
live-calibrate-below-plan = The run held { $measured }, which is less than the plan has without its context ({ $planned } in all), so it says nothing about this machine's overhead; make the plan match the run first

live-bar-tensors = Live tensors
live-bar-reserve = Allocator's reserve
live-bar-context = Context and libraries
live-bar-run = The run's processes
live-bar-others = Other processes
live-bar-unlisted = Used, but not listed by the driver
live-bar-driver = Kept by the driver
live-bar-free = Free

live-compare-no-stage = The plan has no such pipeline stage; choose another one
live-compare-no-memory = The GPU does not tell how much of its memory is used, so there is nothing to compare
live-compare-no-process = The chosen process no longer uses this GPU; choose another one or the whole GPU
live-compare-hidden = The driver does not tell how much the chosen process holds; compare the whole GPU instead

live-cause-within-band = As planned
live-cause-loading = Still loading
live-cause-not-at-peak = Not at its peak yet
live-cause-other-process = Another process
live-cause-unlisted = Somebody who is not listed
live-cause-growing = Use grows
live-cause-fragmentation = Fragmentation
live-cause-micro-batch = Another micro-batch
live-cause-sequence = Another sequence length
live-cause-concurrency = Another number of sequences
live-cause-larger-reserve = Larger allocator reserve
live-cause-smaller-reserve = Smaller allocator reserve
live-cause-context = Another context size
live-cause-old-driver = Old driver

live-why-within-band = { $measured } lies between the { $low } and { $high } that the estimate allows for
live-why-loading = The run holds { $measured }, and the plan keeps { $idle } even between steps: weights or optimizer states are not there yet
live-why-not-at-peak = The run holds { $measured }, between the { $idle } of an idle step and the planned peak of { $peak }: it may not have been at its peak since you look
live-why-other-process = Beside the largest process, others ({ $count }) hold { $bytes } of this GPU; choose the run's own process to leave them out
live-why-other-process-drawing = Beside the largest process, others ({ $count }) hold { $bytes } of this GPU, { $drawing } of it for drawing; choose the run's own process to leave them out
live-why-unlisted = { $bytes } are used by somebody whom the driver does not list, such as another container
live-why-growing = Use has grown by { $bytes } in { $minutes } min: fragmentation, longer inputs, or tensors that are kept by mistake
live-why-fragmentation = Lengths vary and segments cannot grow, so that freed blocks often do not fit the next request; { $bytes } may be such gaps. “expandable_segments:True” avoids them
live-why-micro-batch = With a micro-batch of { $other } instead of { $now } the plan would hold { $bytes }
live-why-sequence = With sequences of { $other } tokens instead of { $now } the plan would hold { $bytes }
live-why-concurrency = With { $other } sequences at once instead of { $now } the plan would hold { $bytes }
live-why-larger-reserve = The plan has { $planned } as the allocator's reserve; { $needed } would explain the difference. “torch.cuda.memory_reserved()” tells
live-why-smaller-reserve = The plan has { $planned } as the allocator's reserve; { $needed } would explain the difference
live-why-context = The plan has { $planned } for context and libraries; { $needed } would explain the difference. Calibrate with an idle process to know
live-why-old-driver = This driver is too old to tell apart what it keeps for itself; up to { $bytes } may be that

term-measured-overhead = Context and libraries, measured
source-measured-here = Measured on this machine

live-address-empty = Type the address of a Prometheus server, such as http://prometheus:9090
live-address-no-scheme = The address does not begin with http:// or https://
live-address-scheme = “{ $scheme }” is no way to reach a Prometheus server; use http or https
live-address-host = “{ $host }” is no name of a host with a port
live-remedy-address = Correct the address, such as http://prometheus:9090
live-server-refused = { $host } refused the connection: nothing listens there
live-remedy-server-refused = Check the port and that Prometheus runs there, then retry
live-server-timeout = { $host } did not answer in time
live-remedy-server-timeout = Check the address and the network, or allow more time; then retry
live-server-unknown-host = There is no host { $host }
live-remedy-server-address = Check the address and the network, then retry
live-server-tls = The encrypted connection to { $host } failed: { $reason }
live-remedy-server-tls = Use http:// if the server is not encrypted, or install the certificate of its authority on this system; then retry
live-server-failed = { $host } cannot be reached: { $reason }
live-server-denied = { $host } wants a name and a password, or these are wrong (status { $status })
live-remedy-server-denied = Put them into the address, such as https://name:password@host, and retry
live-server-redirect = { $host } sends the question elsewhere ({ $location }), which is not followed
live-remedy-server-redirect = Type that address itself if you trust it
live-server-not-found = { $host } has no Prometheus at this path (status { $status })
live-server-status = { $host } answered with status { $status }
live-remedy-server-status = Look at the server's log, then retry
live-server-other = { $host } answers, but not as a Prometheus server does
live-remedy-server-other = Check host, port and path: the address is the one at which Prometheus shows its own page
live-server-query = { $host } refused the question: { $reason }
live-server-too-large = The answer of { $host } is too large
live-server-no-figures = { $host } answers, but has no figures of GPUs
live-remedy-server-no-figures = Check that NVIDIA's dcgm-exporter runs on the GPU machines and that this Prometheus scrapes it (its page Status, Targets)
live-server-stale = The newest figure of { $host } is { $age } old

live-cli-host = Driver { $driver }, CUDA { $cuda }
live-cli-gpu = GPU { $index } { $name }: { $used } of { $total } used, { $free } free, { $compute } busy, { $temperature }, { $power }
live-cli-part = { "  " }{ $name }: { $used } of { $total } used
live-cli-process = { "  " }{ $pid } { $user }: { $memory }, { $name }
