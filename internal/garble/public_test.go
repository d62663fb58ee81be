package garble

import (
	"context"
	"reflect"
	"time"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/graph/draw"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/judge"
	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/kernels"
	"github.com/gpu-overlap/overlap/measure"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
	"github.com/gpu-overlap/overlap/timeline"
	"github.com/gpu-overlap/overlap/verdict"
)

// functions are called with random arguments, by the names that doc comments have.
var functions = map[string]any{
	"verdict.CauseNames": verdict.CauseNames, "verdict.Causes": verdict.Causes, "verdict.Of": verdict.Of,
	"verdict.ParseCause": verdict.ParseCause,
	"verdict.Percent":    verdict.Percent,
	"verdict.Note":       verdict.Note,
	"verdict.Found":      verdict.Found,

	"schedule.At":             schedule.At,
	"schedule.Chain":          chain,
	"schedule.CodeNamed":      schedule.CodeNamed,
	"schedule.CodeNames":      schedule.CodeNames,
	"schedule.DefaultEngines": schedule.DefaultEngines,
	"schedule.New":            schedule.New,
	"schedule.RangeName":      schedule.RangeName,
	"schedule.Refs":           schedule.Refs, "schedule.Rivals": schedule.Rivals, "schedule.StageName": schedule.StageName,

	"schedule/text.Describe":       text.Describe,
	"schedule/text.Expect":         text.Expect,
	"schedule/text.FormatDuration": text.FormatDuration,
	"schedule/text.ParseCase":      text.ParseCase,
	"schedule/text.ParseProgram":   text.ParseProgram,
	"schedule/text.Pipeline":       text.Pipeline,
	"schedule/text.Program":        text.Program,
	"schedule/text.Schedule":       text.Schedule,
	"schedule/text.WithGoldens":    text.WithGoldens,

	"order.Inline": order.Inline, "order.Issued": order.Issued, "order.Of": order.Of,

	"bound.ASAP": bound.ASAP, "bound.Ideal": bound.Ideal, "bound.Of": bound.Of, "bound.Optimal": bound.Optimal,
	"bound.Scheduled": bound.Scheduled, "bound.Serial": bound.Serial,

	"timeline.ByEngine":  timeline.ByEngine,
	"timeline.Clashes":   timeline.Clashes,
	"timeline.EachClash": timeline.EachClash,
	"timeline.Extent":    timeline.Extent,
	"timeline.Hidden":    timeline.Hidden,
	"timeline.Of":        timeline.Of,
	"timeline.WriteSVG":  timeline.WriteSVG,
	"timeline.WriteText": timeline.WriteText, "timeline.WriteTrace": timeline.WriteTrace,

	"graph.CompareEdges": graph.CompareEdges,
	"graph.CriticalPath": graph.CriticalPath,
	"graph.Implied":      graph.Implied,
	"graph.ImpliedBy":    graph.ImpliedBy, "graph.KindNames": graph.KindNames, "graph.ParseKind": graph.ParseKind,
	"graph.Topological": graph.Topological, "graph.UniqueNames": graph.UniqueNames, "graph.WidthOf": graph.WidthOf,

	"graph/dot.Bind":          dot.Bind,
	"graph/dot.Read":          dot.Read,
	"graph/dot.ReadNames":     dot.ReadNames,
	"graph/dot.Resolve":       dot.Resolve,
	"graph/dot.ShortName":     dot.ShortName,
	"graph/dot.ShortNames":    dot.ShortNames,
	"graph/dot.Write":         dot.Write,
	"graph/dot.WriteDump":     dot.WriteDump,
	"graph/match.Diff":        match.Diff,
	"graph/match.Differences": match.Differences,
	"graph/match.Summary":     match.Summary,
	"graph/draw.WriteSVG":     draw.WriteSVG,

	"kernels.Name": kernels.Name, "kernels.ReadBegin": kernels.ReadBegin, "kernels.ReadStamp": kernels.ReadStamp,

	"gpu.Check": gpu.Check, "gpu.Interleave": gpu.Interleave,
	"gpu/sim.MachineNamed": sim.MachineNamed, "gpu/sim.Open": sim.Open,
	"gpu/sim/tables.LegacyText":  tables.LegacyText,
	"gpu/sim/tables.UnsafeText":  tables.UnsafeText,
	"gpu/sim/tables.Meets":       tables.Meets,
	"gpu/sim/tables.ParseLegacy": tables.ParseLegacy, "gpu/sim/tables.ParseUnsafe": tables.ParseUnsafe,

	"judge/sample.EachLaunch": sample.EachLaunch, "judge/sample.Middle": sample.Middle, "judge/sample.Of": sample.Of,
	"judge/sample.Percent":  sample.Percent,
	"judge/sample.Read":     sample.Read,
	"judge/sample.Round":    sample.Round,
	"judge/sample.ToSettle": sample.ToSettle,

	"measure.CostsOf": measure.CostsOf, "measure.Prepare": prepare,

	"judge/calls.Check":      calls.Check,
	"judge/calls.Framed":     calls.Framed,
	"judge/calls.Implied":    calls.Implied,
	"judge/calls.Launched":   calls.Launched,
	"judge/calls.Legal":      calls.Legal,
	"judge/calls.Needless":   calls.Needless,
	"judge/calls.Of":         calls.Of,
	"judge/calls.Sensitive":  calls.Sensitive,
	"judge/calls.SharedExec": calls.SharedExec, "judge/calls.Sound": calls.Sound,
	"judge/account.Median": account.Median, "judge/account.Of": account.Of,
	"judge.HiddenShare": judge.HiddenShare, "judge.Judge": judge.Judge,

	"overlap.Check":             overlap.Check,
	"overlap.DefaultDevice":     overlap.DefaultDevice,
	"overlap.Golden":            overlap.Golden,
	"overlap.Headline":          overlap.Headline,
	"overlap.Lanes":             overlap.Lanes,
	"overlap.Open":              overlap.Open,
	"overlap.ParseCase":         overlap.ParseCase,
	"overlap.Reference":         overlap.Reference,
	"overlap.ReferenceSchedule": overlap.ReferenceSchedule,
	"overlap.Repeat":            overlap.Repeat,
	"overlap.Report":            overlap.Report,
	"overlap.Run":               overlap.Run,
}

// chain keeps the chain short: of millions of ops it takes as long as these need.
func chain(n int, d time.Duration, streams int) *schedule.Schedule {
	return schedule.Chain(min(n, 1000), d, streams)
}

// prepare prepares a case, and then runs it.
func prepare(ctx context.Context, dev gpu.Device, c *text.Case, reps, needs int, most measure.Bounds) error {
	b, err := measure.Prepare(ctx, dev, c)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := b.First(reps); err != nil {
		return err
	}
	if _, err := b.More(needs, most); err != nil {
		return err
	}
	if _, err := b.RunGated(); err != nil {
		return err
	}
	_, err = b.RunWide()
	return err
}

// types are those whose methods are called, of random values.
var types = map[string]reflect.Type{
	"verdict.Base":    reflect.TypeFor[verdict.Base](),
	"verdict.Cause":   reflect.TypeFor[verdict.Cause](),
	"verdict.Expect":  reflect.TypeFor[verdict.Expect](),
	"verdict.Finding": reflect.TypeFor[verdict.Finding](), "verdict.Outcome": reflect.TypeFor[verdict.Outcome](),
	"verdict.Target": reflect.TypeFor[verdict.Target](), "verdict.Verdict": reflect.TypeFor[verdict.Verdict](),

	"schedule.API":           reflect.TypeFor[schedule.API](),
	"schedule.Builder":       reflect.TypeFor[schedule.Builder](),
	"schedule.CallBuilder":   reflect.TypeFor[schedule.CallBuilder](),
	"schedule.CaptureMode":   reflect.TypeFor[schedule.CaptureMode](),
	"schedule.Code":          reflect.TypeFor[schedule.Code](),
	"schedule.Instr":         reflect.TypeFor[schedule.Instr](),
	"schedule.Intent":        reflect.TypeFor[schedule.Intent](),
	"schedule.Kernel":        reflect.TypeFor[schedule.Kernel](),
	"schedule.Kind":          reflect.TypeFor[schedule.Kind](),
	"schedule.Layout":        reflect.TypeFor[schedule.Layout](),
	"schedule.Op":            reflect.TypeFor[schedule.Op](),
	"schedule.OpBuilder":     reflect.TypeFor[schedule.OpBuilder](),
	"schedule.Pipeline":      reflect.TypeFor[schedule.Pipeline](),
	"schedule.Program":       reflect.TypeFor[schedule.Program](),
	"schedule.Ref":           reflect.TypeFor[schedule.Ref](),
	"schedule.Schedule":      reflect.TypeFor[schedule.Schedule](),
	"schedule.Stage":         reflect.TypeFor[schedule.Stage](),
	"schedule.StreamBuilder": reflect.TypeFor[schedule.StreamBuilder](),
	"schedule.StreamKind":    reflect.TypeFor[schedule.StreamKind](), "schedule.Verb": reflect.TypeFor[schedule.Verb](),
	"schedule/text.Case":        reflect.TypeFor[text.Case](),
	"schedule/text.CaseKind":    reflect.TypeFor[text.CaseKind](),
	"schedule/text.SyntaxError": reflect.TypeFor[text.SyntaxError](),

	"order.Order":       reflect.TypeFor[order.Order](),
	"bound.Lower":       reflect.TypeFor[bound.Lower](),
	"bound.Timetable":   reflect.TypeFor[bound.Timetable](),
	"timeline.Timeline": reflect.TypeFor[timeline.Timeline](),
	"graph.Arc":         reflect.TypeFor[graph.Arc](),
	"graph.Width":       reflect.TypeFor[graph.Width](),
	"timeline.Span":     reflect.TypeFor[timeline.Span](),
	"graph.Adjacency":   reflect.TypeFor[graph.Adjacency](),
	"graph.CycleError":  reflect.TypeFor[graph.CycleError](),
	"graph.Edge":        reflect.TypeFor[graph.Edge](),
	"graph.Graph":       reflect.TypeFor[graph.Graph](),
	"graph.Kind":        reflect.TypeFor[graph.Kind](),
	"graph/dot.Error":   reflect.TypeFor[dot.Error](),
	"graph/dot.Memory":  reflect.TypeFor[dot.Memory](),

	"kernels.Stamp":               reflect.TypeFor[kernels.Stamp](),
	"gpu.Error":                   reflect.TypeFor[gpu.Error](),
	"gpu.Setup":                   reflect.TypeFor[gpu.Setup](),
	"gpu.Transcript":              reflect.TypeFor[gpu.Transcript](),
	"gpu.Unavailable":             reflect.TypeFor[gpu.Unavailable](),
	"gpu/sim/tables.Table":        reflect.TypeFor[tables.Table[tables.LegacyCall, tables.LegacyColumn]](),
	"gpu/sim.Machine":             reflect.TypeFor[sim.Machine](),
	"gpu/sim/tables.LegacyCall":   reflect.TypeFor[tables.LegacyCall](),
	"gpu/sim/tables.LegacyColumn": reflect.TypeFor[tables.LegacyColumn](),
	"gpu/sim/tables.UnsafeCall":   reflect.TypeFor[tables.UnsafeCall](),
	"gpu/sim/tables.UnsafeColumn": reflect.TypeFor[tables.UnsafeColumn](),
	"gpu/sim/tables.Cell":         reflect.TypeFor[tables.Cell](), "gpu/sim/tables.Caller": reflect.TypeFor[tables.Caller](),

	"judge/sample.Estimate": reflect.TypeFor[sample.Estimate](),
	"judge/sample.Reading":  reflect.TypeFor[sample.Reading](),
	"judge/sample.Samples":  reflect.TypeFor[sample.Samples](),
	"measure.Bench":         reflect.TypeFor[measure.Bench](),
	"judge/calls.View":      reflect.TypeFor[calls.View](),
	"judge/account.Account": reflect.TypeFor[account.Account](),
	"judge/account.Spent":   reflect.TypeFor[account.Spent](),
	"judge/account.Step":    reflect.TypeFor[account.Step](),
	"judge.Answer":          reflect.TypeFor[judge.Answer](),
	"judge.Evidence":        reflect.TypeFor[judge.Evidence](),
	"judge.Limit":           reflect.TypeFor[judge.Limit](),

	"overlap.Failure": reflect.TypeFor[overlap.Failure](),
	"overlap.Mode":    reflect.TypeFor[overlap.Mode](),
	"overlap.Result":  reflect.TypeFor[overlap.Result](),
	"overlap.Times":   reflect.TypeFor[overlap.Times](),
}

// leftOut are public functions and types that are not called here, and why.
var leftOut = map[string]string{
	"gpu.OpenCUDA":             "opens a GPU",
	"gpu/sim/hardware":         "the machine of package sim, which asks it for what a program that is valid gives",
	"overlaptest":              "takes a test, and fails it",
	"schedule.Instr.GobDecode": "see TestGob",
	"schedule.Ref.GobDecode":   "see TestGob",
}
