package sim

import "github.com/gpu-overlap/overlap/schedule"

// call makes one driver call: it takes its time, then it has its effect.
func (h *host) call(in schedule.Instr) schedule.Code {
	h.now += h.m.Calls[in.Verb]
	if in.Verb.Takes()&schedule.TakesStream != 0 || in.Verb == schedule.Invoke && in.Stream.Index() >= 0 {
		in.Stream = schedule.At(h.id(in.Stream.Index(), in.Thread))
		if !h.streams[in.Stream.Index()].alive && in.Verb != schedule.CreateStream {
			return schedule.InvalidHandle // of a destroyed stream; newer drivers leave it undefined
		}
	}
	ev := in.Event.Index()
	if in.Verb.Takes()&schedule.TakesEvent != 0 && (ev < 0 || !h.events[ev].alive && in.Verb != schedule.CreateEvent) {
		return schedule.InvalidHandle // a NULL event too
	}
	switch in.Verb {
	case schedule.Launch, schedule.HostFunc, schedule.Copy:
		return h.launch(in)
	case schedule.Gate:
		return h.gate(in)
	case schedule.OpenGate:
		h.chip.OpenGates(h.now)
		return schedule.Success
	case schedule.Record:
		return h.record(in)
	case schedule.Wait:
		return h.wait(in)
	case schedule.BeginCapture:
		return h.beginCapture(in)
	case schedule.EndCapture:
		return h.endCapture(in)
	case schedule.Instantiate:
		return h.instantiate(in)
	case schedule.Upload:
		return h.upload(in)
	case schedule.Replay:
		return h.replay(in)
	case schedule.SyncStream, schedule.QueryStream:
		return h.lookAtStream(in)
	case schedule.SyncEvent, schedule.QueryEvent:
		return h.lookAtEvent(in)
	case schedule.SyncContext:
		return h.syncContext(in)
	}
	if in.Verb.Role() == schedule.OfProbe {
		return h.probe(in)
	}
	return h.handle(in)
}

// probe makes one of the calls that only probes make.
func (h *host) probe(in schedule.Instr) schedule.Code {
	a := h.p.ArgsOf(in)
	switch in.Verb {
	case schedule.ExchangeMode:
		return h.exchange(in)
	case schedule.CaptureInfo, schedule.IsCapturing:
		return h.captureInfo(in, a)
	case schedule.Depend:
		return h.depend(in, a)
	case schedule.BeginCaptureTo:
		return h.beginInto(in, a)
	case schedule.RecordExternal:
		return h.recordExternal(in, a)
	case schedule.WaitExternal:
		return h.waitExternal(in, a)
	case schedule.Elapsed:
		return h.elapsed(in, a)
	case schedule.StreamPriority, schedule.StreamFlags:
		return h.property(in)
	case schedule.Invoke:
		return h.invoke(in, a)
	case schedule.LaunchWith:
		return h.launchWith(in, a)
	case schedule.Burst:
		return h.burst(in, a)
	case schedule.Pause:
		h.now += a.Dur
		return schedule.Success
	}
	return h.editGraph(in, a)
}

// editGraph makes the calls that build, change and show graphs.
func (h *host) editGraph(in schedule.Instr, a schedule.Args) schedule.Code {
	switch in.Verb {
	case schedule.CreateGraph:
		return h.createGraph(in)
	case schedule.DestroyNode:
		return h.destroyNode(a.Node)
	case schedule.DestroyExec:
		return h.destroyExec(in)
	case schedule.EnableNode:
		return h.enableNode(in, a)
	case schedule.UpdateExec:
		return h.updateExec(in, a)
	case schedule.InstantiateWith:
		return h.instantiateWith(in, a)
	}
	t, code := h.graphOf(in.Graph)
	if code != schedule.Success {
		return code
	}
	switch in.Verb {
	case schedule.AddNode:
		return h.addNode(t, in, a)
	case schedule.AddEdges, schedule.RemoveEdges:
		return h.editEdges(t, a.Nodes, in.Verb == schedule.AddEdges)
	case schedule.DestroyGraph:
		return h.destroyGraph(t, in)
	case schedule.PrintGraph:
		dot, all := dumps(t, h.p)
		h.shown.Text = []string{string(dot), string(all)}
		return schedule.Success
	}
	return h.listGraph(t, a.Number)
}
