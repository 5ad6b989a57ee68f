import Glibc
import Testing

@testable import WellspringSystem

@Suite struct DetachedThreadTests {
  @Test func `a body runs on a thread of its own, which handles its faults and no other signals`()
    async
  {
    let own = CurrentThread.id
    let blocked = await withCheckedContinuation { continuation in
      let isStarted = DetachedThread.start {
        var mask = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &mask)
        let blocked = [SIGTERM, SIGINT, SIGUSR1, SIGSEGV, SIGABRT].filter {
          sigismember(&mask, $0) == 1
        }
        continuation.resume(returning: (blocked, CurrentThread.id))
      }
      #expect(isStarted)
    }
    #expect(blocked.0 == [SIGTERM, SIGINT, SIGUSR1])
    #expect(blocked.1 != own)
  }

  @Test func `the thread that starts another keeps its own signals`() {
    var before = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &before)
    #expect(DetachedThread.start {})
    var after = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &after)
    for signal in Int32(1)..<32 {
      #expect(sigismember(&before, signal) == sigismember(&after, signal))
    }
  }
}
