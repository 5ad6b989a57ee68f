#ifndef LAB_CLOCK_H
#define LAB_CLOCK_H

/// Lets the wall clock of the process, as its own code and all libraries read it, step forward by an
/// hour at each SIGUSR1, and back by an hour at each SIGUSR2.
///
/// The clock of the kernel stays as it is. So a wait until a moment of the wall clock ends an hour too
/// late after a step forward, as it does when the clock of a machine is set back while it waits.
void lab_clock_follow_signals(void);

#endif
