package tables

// LegacyCall is a call of table legacy: one that uses the legacy stream. The last one does not, and stands beside them.
type LegacyCall uint8

// The event r was recorded outside of captures, and e by the capture that the call meets.
const (
	LegacyLaunch LegacyCall = iota
	LegacyRecord
	LegacyWait
	LegacyWaitCaptured
	LegacyQuery
	LegacySync
	LegacyHost
	LegacyMemset
	LegacyMemcpy
	LegacyReplay
	LegacyUpload
	LegacyAsk // cuStreamIsCapturing
	LegacyInfo
	LegacyBegin
	LegacyEnd
	LegacyMemcpySync
	BlockingLaunch // on a blocking stream that does not capture
	NumLegacyCalls
)

var legacyNames = [NumLegacyCalls]string{
	LegacyLaunch: "legacy: call launch-empty", LegacyRecord: "legacy: record f", LegacyWait: "legacy: wait r",
	LegacyWaitCaptured: "legacy: wait e", LegacyQuery: "legacy: query", LegacySync: "legacy: sync",
	LegacyHost:   "legacy: host H 20us",
	LegacyMemset: "legacy: call memset-d8", LegacyMemcpy: "legacy: call memcpy-htod", LegacyReplay: "legacy: replay x",
	LegacyUpload: "upload x legacy", LegacyAsk: "legacy: capturing", LegacyInfo: "legacy: info",
	LegacyBegin: "legacy: begin capture",
	LegacyEnd:   "legacy: end capture h", LegacyMemcpySync: "call memcpy-sync", BlockingLaunch: "b9: call launch-empty",
}

// String is the call as the file spells it.
func (c LegacyCall) String() string { return nameOf(legacyNames[:], int(c)) }

// LegacyColumn is what kind of capture the legacy stream is used beside.
type LegacyColumn uint8

const (
	NonBlockingCapture LegacyColumn = iota // none of its streams is blocking
	BlockingOrigin                         // it began on a blocking stream
	BlockingFork                           // it was forked into one
	PerThreadOrigin                        // it began on the default stream of a thread
	NumLegacyColumns
)

var legacyColumnNames = [NumLegacyColumns]string{"non-blocking", "blocking", "forked", "per-thread"}

// String is the column as the file spells it.
func (c LegacyColumn) String() string { return nameOf(legacyColumnNames[:], int(c)) }
