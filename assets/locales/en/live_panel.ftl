# The live panel: attached GPUs beside the plan.

action-show-live = Live tab
tab-live = Live

live-source = Source
live-source-machine = This machine
live-source-machine-hint = The NVIDIA GPUs of this machine, as their driver reports them
live-source-recording = A recorded file…
live-source-recording-hint = Plays back what was recorded here or on another machine
live-source-prometheus = Prometheus server
live-source-prometheus-hint = Reads the figures of many machines from a Prometheus server that scrapes NVIDIA’s DCGM exporter
live-source-example = Example: 8 GPUs under load
live-source-example-hint = An invented recording that comes with the program
live-server = Address of the Prometheus server
live-connect = Connect

live-status-stopped = Not reading
live-status-starting = Waiting for the first sample
live-status-running = Running
live-status-paused = Paused
live-status-waiting = No answer for { $secs } s
live-status-failed = Cannot be read
live-pause = Pause
live-resume = Resume

live-record = Record
live-record-stop = Stop recording
live-format-replay = For playback (.jsonl)
live-format-replay-hint = Everything that is read, to be played back in this panel
live-format-csv = Table (.csv)
live-format-csv-hint = One line for each GPU and sample, for spreadsheets; without processes
live-recording-to = Recording to { $file }
live-recorded = Recorded { $count } samples to { $file }

live-interval = Every
live-interval-hint = Time between two samples
live-alert = Warn above
live-alert-hint = Share of a GPU’s memory from which the panel warns; 100 % never warns
live-reset-peaks = Reset peaks
live-reset-peaks-hint = The upright marks show the highest use so far; this starts them anew
live-driver = Driver
live-cuda = CUDA

live-position = Position
live-position-of = { $at } of { $length }
live-speed = Speed of the playback
live-loop = Loop

live-fault-goes-on = Planning in the other tabs goes on as before.
live-retry = Retry
live-without-title = Without a GPU in this machine
live-example-text = See the panel at work on an invented example.
live-open-example = Show 8 GPUs under load
live-recording-text = Play what was recorded on another machine with this panel.
live-open-recording = Open a recorded file…
live-prometheus-text = Watch the GPUs of a cluster, where a Prometheus server scrapes NVIDIA’s DCGM exporter.
live-use-prometheus = Use a Prometheus server
live-no-sample = The first sample is on its way.
live-last-sample = Below is the last sample that was read.

live-alert-line = More than { $line } of the memory is used: { $gpus }
live-alert-gpu = { $gpu } ({ $share })
live-alert-more = and { $count } more

live-unknown-gpu = Unnamed GPU
live-gpu-index = GPU { $index }
live-gpu-on-host = { $host } GPU { $index }
live-selected-gpu = { $place }: { $name }
live-gpu-sentence = { $place }, { $name }: { $memory } of memory, { $compute } busy, { $state }
live-gpu-lost = This GPU no longer answers: it has fallen off the bus
live-gpu-lost-remedy = This GPU no longer answers: it has fallen off the bus. Its last figures are below. Look for “Xid” in the system log; a reset of the card or a reboot is needed before it can be used again.
live-used-of-total = { $used } of { $total } GiB
live-column-gpu = GPU
live-column-temperature = Temp.

live-health-fine = Fine
live-health-held-back = Held back
live-health-errors = Memory errors
live-health-alert = Nearly full
live-health-lost = Lost

live-fleet-state = State
live-fleet-host = Host
live-fleet-gpu = GPU
live-fleet-name = Card
live-fleet-memory = Memory
live-fleet-compute = Busy
live-fleet-temperature = Temp.
live-fleet-power = Power
live-fleet-filter = Filter
live-fleet-filter-prompt = Host, card or UUID
live-fleet-count = { $shown } of { $all } GPUs
live-fleet-sort = Sort by { $column }
live-fleet-sentence = { $place }: { $memory }, { $state }

live-history-title = The past
live-window-minute = 1 min
live-window-five-minutes = 5 min
live-window-quarter = 15 min
live-window-hour = 1 h
live-plot-memory = Used memory: { $now }
live-plot-memory-peak = Used memory: { $now }, peak { $peak }
live-plot-compute = Busy: { $now }
live-peak = Peak
live-now = now
live-secs-ago = −{ $secs } s
live-minutes-ago = −{ $minutes } min

live-fact-used = Used
live-fact-used-hint = Memory that processes hold
live-fact-free = Free
live-fact-reserved = Reserved
live-fact-reserved-hint = Memory that driver and firmware keep for themselves
live-fact-total = In all
live-fact-compute = Busy
live-fact-compute-hint = Share of the time in which a kernel ran; it does not say how well it used the card
live-fact-memory-busy = Memory busy
live-fact-memory-busy-hint = Share of the time in which memory was read or written
live-fact-temperature = Temperature
live-fact-power = Power and its limit
live-fact-sm-clock = Clock
live-fact-memory-clock = Memory clock and its limit
live-fact-pcie = PCIe, sent and received
live-fact-nvlink = NVLink, sent and received
live-fact-ecc = Memory errors
live-fact-ecc-hint = Since the driver was loaded: corrected ones do no harm, others spoil results
live-fact-capability = Compute capability
live-fact-bus-width = Memory bus
live-fact-bus-id = Bus id
live-fact-throttling = Clocks held back by
live-fact-uuid = UUID
live-fact-name = Name
live-traffic = { $sent }, { $received }
live-errors = { $corrected } corrected, { $uncorrected } not
live-bits = { $bits } bit
live-not-throttled = Nothing
live-mig-title = Instances of this card

live-processes-title = Processes
live-no-processes = Nothing uses this GPU.
live-processes-all = { $count } on this GPU, all compared with the plan; tick some to compare only these
live-processes-chosen = { $count } chosen are compared with the plan
live-processes-reset = Compare all
live-process-counted = Compare
live-process-pid = Id
live-process-name = Name
live-process-user = User
live-process-kind = Kind
live-process-memory = Memory
live-process-count-it = Compare process { $pid } with the plan
live-process-compute = computes
live-process-graphics = draws

path-recording-heading = Play a recording
path-record-heading = Record to a file
path-record = Record
dialog-filter-recording = vramplan recordings
