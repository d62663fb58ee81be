package sim
import ("testing";"time";"runtime")
func TestMillion(t *testing.T){ s:=large(1_000_000); b:=time.Now(); e:=s.Eager(); r:=s.Replay(); t.Log("build",time.Since(b))
 var m runtime.MemStats
 b=time.Now(); rep(t,H200,e); runtime.ReadMemStats(&m); t.Log(time.Since(b), m.HeapAlloc/1e6, m.Sys/1e6)
 b=time.Now(); rep(t,H200,r); runtime.ReadMemStats(&m); t.Log(time.Since(b), m.HeapAlloc/1e6,m.Sys/1e6)}
