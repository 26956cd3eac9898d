const CHECK_EVERY_MS = 1000;

// Runs in a thread, and ends the process when its parent has ended, even if the main thread is blocked.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, CHECK_EVERY_MS);
