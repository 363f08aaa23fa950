"""Made-up logs of sixteen kinds of systems, each in the style of its kind, with the template of each line.

A line of a specification is a template, its fields in braces; `FIELDS` says how each is filled in. How often a template
comes follows Zipf's law, in the order in which they're listed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

_USERS = (
    "root",
    "admin",
    "mira",
    "oracle",
    "test",
    "jan.koch",
    "webmaster",
    "svc-build",
    "guest",
    "pi",
    "ubuntu",
    "lea",
)
_WORDS = ("north", "harbour", "ledger", "crane", "archive", "billing", "search", "mailer", "importer", "thumbs", "sync")
_HOSTS = (
    "db-03.example.net",
    "edge7",
    "mail.example.org",
    "worker-12",
    "cache.local",
    "static-77-2.example.com",
    "ns1",
)
_CLASSES = ("ShuffleMapTask", "ResultTask", "TaskSetManager", "BlockRunner", "ReduceStage", "TypedInput")
_STATES = ("RUNNING", "SUCCEEDED", "NEW", "FAILED", "KILLED", "SCHEDULED")
_PACKAGES = ("com.example.mail", "com.example.player.video", "org.sample.launcher", "net.demo.maps.ui", "com.test.im")

FIELDS: dict[str, Callable[[random.Random], str]] = {
    "int": lambda r: str(r.choice([r.randint(0, 9), r.randint(10, 999), r.randint(1000, 9_999_999)])),
    "float": lambda r: f"{r.uniform(0, 900):.{r.randint(1, 4)}f}",
    "ip": lambda r: ".".join(str(r.randint(1, 254)) for _ in range(4)),
    "port": lambda r: str(r.randint(1024, 65_000)),
    "hex": lambda r: f"0x{r.getrandbits(r.choice([16, 32, 48])):x}",
    "bare": lambda r: f"{r.getrandbits(32):08x}",
    "blk": lambda r: f"blk_{r.choice(['', '-'])}{r.getrandbits(62)}",
    "uuid": lambda r: (
        f"{r.getrandbits(32):08x}-{r.getrandbits(16):04x}-4{r.getrandbits(12):03x}-a{r.getrandbits(12):03x}"
        f"-{r.getrandbits(48):012x}"
    ),
    "user": lambda r: r.choice(_USERS),
    "word": lambda r: r.choice(_WORDS),
    "host": lambda r: r.choice(_HOSTS),
    "class": lambda r: r.choice(_CLASSES),
    "state": lambda r: r.choice(_STATES),
    "package": lambda r: r.choice(_PACKAGES),
    "bool": lambda r: r.choice(["true", "false"]),
    "path": lambda r: (
        "/" + "/".join(r.choice(_WORDS) for _ in range(r.randint(1, 4))) + r.choice(["", "/", ".dat", ".1"])
    ),
    "time": lambda r: f"{r.randint(0, 23):02}:{r.randint(0, 59):02}:{r.randint(0, 59):02}",
    "size": lambda r: f"{r.uniform(0.1, 900):.1f} {r.choice(['B', 'KB', 'MB', 'GB'])}",
    "task": lambda r: f"task_{r.getrandbits(40)}_{r.randint(1, 9999):04}_m_{r.randint(0, 99):06}_0",
    "node": lambda r: f"node-{r.randint(0, 255)}",
    "core": lambda r: (
        f"R{r.randint(0, 63):02}-M{r.randint(0, 1)}-N{r.choice('0123456789ABCDEF')}-J{r.randint(0, 17):02}"
    ),
    "list": lambda r: " ".join(str(r.randint(0, 9999)) for _ in range(r.randint(2, 6))),
    "domain": lambda r: f"{r.choice(_WORDS)}.{r.choice(_WORDS)}.example:{r.choice([80, 443, 8080])}",
    "version": lambda r: f"{r.randint(1, 9)}.{r.randint(0, 20)}.{r.randint(0, 9999)}",
}

STYLES: dict[str, tuple[str, ...]] = {
    "distributed files": (
        "Receiving block {blk} src: /{ip}:{port} dest: /{ip}:{port}",
        "BLOCK* NameSystem.addStoredBlock: blockMap updated: {ip}:{port} is added to {blk} size {int}",
        "PacketResponder {int} for block {blk} terminating",
        "Received block {blk} of size {int} from /{ip}",
        "BLOCK* NameSystem.allocateBlock: {path} {blk}",
        "Deleting block {blk} file {path}",
        "Verification succeeded for {blk}",
        "{ip}:{port} Served block {blk} to /{ip}",
        "{ip}:{port}:Got exception while serving {blk} to /{ip}:",
        "BLOCK* ask {ip}:{port} to replicate {blk} to datanode(s) {ip}:{port}",
        "Unexpected error trying to delete block {blk}. BlockInfo not found in volumeMap.",
        "Changing block file offset of block {blk} from {int} to {int} meta file offset to {int}",
    ),
    "map and reduce": (
        "Progress of TaskAttempt {task} is : {float}",
        "{task} TaskAttempt Transitioned from {state} to {state}",
        "Address change detected. Old: {host}/{ip}:{port} New: {host}:{port}",
        "Retrying connect to server: {host}:{port}. Already tried {int} time(s); retry policy is FixedSleep",
        "ERROR IN CONTACTING RM.",
        "DFSOutputStream ResponseProcessor exception for block {blk}",
        "Assigned container {task} to {task}",
        "Reduce slow start threshold not met. completedMapsForReduceSlowstart {int}",
        "Recalculating schedule, headroom=<memory:{int}, vCores:{int}>",
        "Before Scheduling: PendingReds:{int} ScheduledMaps:{int} ScheduledReds:{int} AssignedMaps:{int}",
        "Got allocated containers {int}",
        "Event Writer setup for JobId: {task}, File: {path}",
        "Connecting to ResourceManager at {host}/{ip}:{port}",
    ),
    "cluster computing": (
        "Finished task {float} in stage {float} (TID {int}). {int} bytes result sent to driver",
        "Running task {float} in stage {float} (TID {int})",
        "Found block rdd_{int}_{int} locally",
        "Block broadcast_{int} stored as values in memory (estimated size {size}, free {size})",
        "Started reading broadcast variable {int}",
        "Reading broadcast variable {int} took {int} ms",
        "Got assigned task {int}",
        "Getting {int} non-empty blocks out of {int} blocks",
        "Input split: {path}:{int}+{int}",
        "Changing view acls to: {user}",
        "SecurityManager: authentication disabled; ui acls disabled; users with view permissions: Set({user})",
        "Successfully registered with driver",
        "Times: total = {int}, boot = {int}, init = {int}, finish = {int}",
        "Starting {class} for partition {int}",
    ),
    "coordination service": (
        "Received connection request /{ip}:{port}",
        "Send worker leaving thread",
        "Interrupted while waiting for message on queue",
        "Connection broken for id {int}, my id = {int}, error =",
        "Notification time out: {int}",
        "Closed socket connection for client /{ip}:{port} which had sessionid {hex}",
        "Closed socket connection for client /{ip}:{port} (no session established for client)",
        "Established session {hex} with negotiated timeout {int} for client /{ip}:{port}",
        "Client attempting to renew session {hex} at /{ip}:{port}",
        "Expiring session {hex}, timeout of {int}ms exceeded",
        "Notification: {int} (n.leader), {hex} (n.zxid), {hex} (n.round), {state} (n.state), {int} (n.sid)",
        "Cannot open channel to {int} at election address /{ip}:{port}",
        "Snapshotting: {hex} to {path}",
    ),
    "supercomputer": (
        "instruction cache parity error corrected",
        "generating core.{int}",
        "{int} double-hummer alignment exceptions",
        "CE sym {int}, at {hex}, mask {hex}",
        "ciod: Error reading message prefix after LOGIN_MESSAGE on CioStream socket to {ip}:{port}: Link severed",
        "ciod: failed to read message prefix on control stream (CioStream socket to {ip}:{port}",
        "total of {int} ddr error(s) detected and corrected",
        "ddr: activating redundant bit steering: rank={int} symbol={int}",
        "{int} L3 EDRAM error(s) (dcr {hex}) detected and corrected over {int} seconds",
        "Node card is not fully functional",
        "idoproxydb hit ASSERT condition: ASSERT expression={int} Source file={path} Source line={int}",
        "problem communicating with service card, ido chip: {core}. java.io.IOException: Could not find EthernetSwitch",
        "data TLB error interrupt",
        "rts: kernel terminated for reason {int}",
    ),
    "compute nodes": (
        "PSU status ( on on )",
        "Fan speeds ( {int} {int} {int} {int} {int} {int} )",
        "Temperature ({int}) exceeds warning threshold",
        "boot (command {int})",
        "Link error on broadcast tree Interconnect-{int}T{int}:{int}:{int}",
        "{node} has detected an available network connection on network {ip} via interface alt{int}",
        "ServerFileSystem: An ServerFileSystem domain panic has occurred on storage{int}",
        "Targeting domains:{node} and nodes:{node} child of command {int}",
        "running running",
        "ambient={int}",
        "risBoot command ERROR",
        "configured out",
        "NIFF: node {node} detected a failed network connection on network {ip} via interface ee{int}",
    ),
    "system messages": (
        "session opened for user {user} by (uid={int})",
        "session closed for user {user}",
        "check pass; user unknown",
        "authentication failure; logname= uid={int} euid={int} tty=NODEVssh ruser= rhost={host}",
        "authentication failure; logname= uid={int} euid={int} tty=NODEVssh ruser= rhost={host} user={user}",
        "connection from {ip} ({host}) at {time}",
        "({user}) CMD (run-parts {path})",
        "synchronized to {ip}, stratum {int}",
        "ALERT exited abnormally with [{int}]",
        "cups: cupsd shutdown succeeded",
        "Kernel command line: ro root=LABEL={path} rhgb quiet",
        "CPU {int} irqstacks, hard={hex} soft={hex}",
        "Out of Memory: Killed process {int} ({word}).",
        "klogd {version}, log source = {path} started.",
    ),
    "component servicing": (
        "Session: {int}_{int} initialized by client {word}.",
        "Warning: Unrecognized packageExtended attribute.",
        "Expecting attribute name [HRESULT = {hex} - CBS_E_MANIFEST_INVALID_ITEM]",
        "Failed to get next element [HRESULT = {hex} - CBS_E_MANIFEST_INVALID_ITEM]",
        "Loaded Servicing Stack v{version} with Core: {path}",
        "SQM: Initializing online with Windows opt-in: False",
        "SQM: Cleaning up report files older than {int} days.",
        "Read out cached applicability for package: {package}~{version}, ApplicableState: {int}, CurrentState:{int}",
        "{bare}@{time} CSI perf trace:",
        "Starting TrustedInstaller initialization.",
        "Ending TrustedInstaller finalization.",
        "No startup processing required, TrustedInstaller service was not set as autostart",
        "Offline image is: read-only: {bool}",
    ),
    "phone": (
        'acquire lock={int}, flags={hex}, tag="{word}", name={package}, ws=null, uid={int}, pid={int}',
        'release:lock={int}, flg={hex}, tag="{word}", name={package}, ws=null, uid={int}, pid={int}',
        "ready=true,policy={int},wakefulness={int},wksummary={hex},uasummary={hex},bootcompleted=true",
        "Skip AppWindowToken{{{bare} token=Token{{{bare} ActivityRecord{{{bare} u{int} {package}/.Main t{int}}}}}}}",
        "setSystemUiVisibility vis={bare} mask={bare} oldVal={bare} newVal={bare} diff={bare}",
        "visible is system.call.count gt {int}",
        "cancelAutohide",
        "getRunningAppProcesses: caller {int} does not hold REAL_GET_TASKS; limiting output",
        "startActivityLocked: {package} is waiting for {int} ms",
        "userActivityNoUpdateLocked: eventTime={int}, event={int}, flags={hex}, uid={int}",
        "interceptKeyTq keycode={int} interactive={bool} keyguardActive={bool} policyFlags={bare}",
        "Destroying surface Surface(name=PopupWindow:{bare}) called by {package}",
        "opening app wtoken = AppWindowToken{{{bare}}}, allDrawn= {bool}, startingDisplayed = {bool}",
    ),
    "pedometer": (
        "calculateCaloriesWithCache totalCalories={int}",
        "calculateAltitudeWithCache totalAltitude={int}",
        "onStandStepChanged {int}",
        "onExtend:{int} {int} {int} {int}",
        "REPORT : {int} {int} {int} {int}",
        "getTodayTotalDetailSteps = {int}##{int}##{int}##{int}##{int}##{int}",
        "setTodayTotalDetailSteps={int}##{int}##{int}##{int}##{int}##{int}",
        "processHandleBroadcastAction action:android.intent.action.SCREEN_ON",
        "processHandleBroadcastAction action:android.intent.action.SCREEN_OFF",
        "flush sensor data",
        "new date ={int}, type={int},{float},old={int}",
        "upLoadHealthData has {int} records, waiting for sync",
    ),
    "web server": (
        "workerEnv.init() ok {path}",
        "mod_jk child workerEnv in error state {int}",
        "jk2_init() Found child {int} in scoreboard slot {int}",
        "[client {ip}] Directory index forbidden by rule: {path}",
        "[client {ip}] File does not exist: {path}",
        "jk2_init() Can't find child {int} in scoreboard",
        "mod_jk child init {int} {int}",
    ),
    "proxy": (
        "{domain} open through proxy proxy.example:{port} HTTPS",
        "{domain} close, {int} bytes sent, {int} bytes received, lifetime {time}",
        "{domain} close, {int} bytes sent, {int} bytes received, lifetime <1 sec",
        "{domain} error : Could not connect through proxy proxy.example:{port} - Proxy closed the connection.",
        "open through proxy {domain} HTTPS",
        "{domain} error : A connection request was canceled before the completion.",
    ),
    "remote logins": (
        "Failed password for invalid user {user} from {ip} port {port} ssh2",
        "Failed password for {user} from {ip} port {port} ssh2",
        "Received disconnect from {ip}: {int}: Bye Bye [preauth]",
        "pam_unix(sshd:auth): authentication failure; logname= uid={int} euid={int} tty=ssh rhost={host}",
        "pam_unix(sshd:auth): authentication failure; logname= uid={int} euid={int} tty=ssh rhost={host} user={user}",
        "reverse mapping checking getaddrinfo for {host} [{ip}] failed - POSSIBLE BREAK-IN ATTEMPT!",
        "pam_unix(sshd:auth): check pass; user unknown",
        "Invalid user {user} from {ip}",
        "input_userauth_request: invalid user {user} [preauth]",
        "Connection closed by {ip} [preauth]",
        "Did not receive identification string from {ip}",
        "Accepted password for {user} from {ip} port {port} ssh2",
        "pam_unix(sshd:session): session opened for user {user} by (uid={int})",
        "pam_unix(sshd:session): session closed for user {user}",
        "error: Received disconnect from {ip}: {int}: com.jcraft.jsch.JSchException: Auth fail [preauth]",
        "message repeated {int} times: [ Failed password for {user} from {ip} port {port} ssh2]",
    ),
    "cloud": (
        '{ip} "GET /v2/{bare}/servers/detail HTTP/1.1" status: {int} len: {int} time: {float}',
        '{ip} "POST /v2/{bare}/os-server-external-events HTTP/1.1" status: {int} len: {int} time: {float}',
        "[instance: {uuid}] VM Started (Lifecycle Event)",
        "[instance: {uuid}] VM Paused (Lifecycle Event)",
        "[instance: {uuid}] During sync_power_state the instance has a pending task (spawning). Skip.",
        "[instance: {uuid}] Took {float} seconds to spawn the instance on the hypervisor.",
        "[instance: {uuid}] Attempting claim: memory {int} MB, disk {int} GB, vcpus {int} CPU",
        "image {uuid} at ({path}): in use: on this node {int} local, {int} on other nodes sharing this storage",
        "Active base files: {path}",
        "[instance: {uuid}] Claim successful",
        "[instance: {uuid}] Total memory: {int} MB, used: {float} MB",
        "Unknown base file: {path}",
        "Creating event network-vif-plugged:{uuid} for instance {uuid}",
        "Auditing locally available compute resources for node {host}",
    ),
    "desktop": (
        "ARPT: {float}: wl0: setup_keepalive: Local port: {port}, Remote port: {port}",
        "ARPT: {float}: wl0: setup_keepalive: Seq: {int}, Ack: {int}, Win size: {int}",
        "ARPT: {float}: AirPort_Brcm43xx::syncPowerState: WWEN[enabled]",
        "Wake reason: ARPT (Network)",
        "AppleThunderboltNHIType2::prePCIWake - power up complete - took {int} us",
        "Previous sleep cause: {int}",
        "tcp_connection_tls_session_error_callback_imp {int} __tcp_connection_tls_session_invoke error {int}",
        "{word}({int}) deny file-read-data {path}",
        "IOThunderboltSwitch<{int}>(0x0)::listenerCallback - HPD packet for route = {hex} port = {int} unplug = {int}",
        "Unexpected payload found for message {int}, dataLen {int}",
        "Received Capabilities for {int} devices from {host}",
        "en0: BSSID changed to {bare}",
        "Sandbox: {word}({int}) deny mach-lookup {package}",
        "Basemark: battery at {int} percent, {int} minutes left",
    ),
    "cluster mail": (
        "data_thread() got not answer from any [Thunderbird_{bare}] datasource",
        "connect from {host} [{ip}]",
        "session opened for user {user} by (uid={int})",
        "({user}) CMD (run-parts {path})",
        "{bare}: from=<{user}@{host}>, size={int}, class={int}, nrcpts={int}, msgid=<{bare}@{host}>, relay={host}",
        "{bare}: to=<{user}@{host}>, delay={time}, mailer=esmtp, pri={int}, dsn={version}, stat=Sent",
        "DHCPDISCOVER from {bare} via eth1: network A/B: no free leases",
        "ib_sm_sweep.c:{int}]: No configuration change required",
        "Losing some ticks... checking if CPU frequency changed.",
        "Warning: failed to reach {host}: connection refused after {int} tries",
        "{int} (process {word}) attached",
        "lun {int}: write protect is {word}",
        "Temperature on {node} above threshold, cpu clock throttled",
        "imuxsock begins to drop messages from pid {int} due to rate-limiting",
    ),
}
"""The templates of each kind of system."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a log, and which template of its system it's made from."""

    text: str
    template: int


def log_of(style: str, count: int, seed: int) -> list[Line]:
    """So many lines in one style."""
    chance = random.Random(f"{style} {seed}")
    templates = STYLES[style]
    weights = [1 / (place + 1) for place in range(len(templates))]
    return [
        Line(_filled(templates[number], chance), number)
        for number in chance.choices(range(len(templates)), weights, k=count)
    ]


def _filled(template: str, chance: random.Random) -> str:
    parts: list[str] = []
    rest = template
    while "{" in rest or "}" in rest:
        first = min(place for place in (rest.find("{"), rest.find("}")) if place >= 0)
        parts.append(rest[:first])
        if rest.startswith(("{{", "}}"), first):
            parts.append(rest[first])
            rest = rest[first + 2 :]
            continue
        last = rest.index("}", first)
        parts.append(FIELDS[rest[first + 1 : last]](chance))
        rest = rest[last + 1 :]
    return "".join((*parts, rest))
