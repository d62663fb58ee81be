// Package bound says how fast a schedule could be, from what must happen alone, and how fast a program's own order lets
// it be, before anything has run. All durations are in nanoseconds (time.Duration) and at least 0; one is given for
// each op, by op id, and their sum must not overflow. Nothing here depends on a clock, on chance or on the order of a
// map.
//
// With p the duration of an op alone on an idle device, "after" the order that the intent asks for, and engines as
// resources that run at most Capacity ops at once:
//
//  1. Serial is the sum of p: one op at a time.
//  2. The head of an op is the longest path of p over "after" that leads up to it, its tail the longest that follows it;
//     head + p + tail is the longest path through it (the critical path method: Kelley and Walker 1959). The order in
//     which ops are visited is Kahn's (1962).
//  3. An engine of capacity 1 is a one-machine problem with heads and tails. Let it preempt its ops, always running the
//     available op with the largest tail (Jackson 1955): the largest end + tail is the best that preemption allows, so no
//     schedule is faster (Carlier 1982). It equals, for some set of the engine's ops, the smallest head, plus the work,
//     plus the smallest tail, and those three numbers are kept as the reason.
//  4. An engine of capacity c > 1 needs at least work / c, rounded up (McNaughton 1959), between its smallest head and its
//     smallest tail.
//  5. Ideal is the largest of 2, 3 and 4: a lower bound for every schedule. Of also says which one decides.
//  6. Optimal is what the best schedule needs. Where engines get in each other's way it exceeds Ideal. It is found by branch
//     and bound over active schedules (Giffler and Thompson 1960), for small cases only.
//  7. Scheduled is the timetable in which each op starts as soon as the calls of a program let it, and its critical path.
//
// Hence Ideal <= Optimal <= Serial, and Optimal <= Scheduled wherever the timetable keeps the intended order and the
// engines' capacities. An op of duration 0 occupies no engine: it lasts for no time during which it could be in the
// way.
//
// Op.After may name later ops, but an intent must have no cycle. One that has is bounded without the ops that lie on a
// cycle or behind one, for they can never start; Optimal gives up on it.
//
// Sources: J. R. Jackson, Scheduling a production line to minimize maximum tardiness, UCLA, 1955; J. Carlier, The
// one-machine sequencing problem, European Journal of Operational Research 11, 1982; R. McNaughton, Scheduling with
// deadlines and loss functions, Management Science 6, 1959; B. Giffler and G. L. Thompson, Algorithms for solving
// production-scheduling problems, Operations Research 8, 1960; J. E. Kelley and M. R. Walker, Critical-path planning
// and scheduling, 1959; A. B. Kahn, Topological sorting of large networks, Communications of the ACM 5, 1962.
package bound
