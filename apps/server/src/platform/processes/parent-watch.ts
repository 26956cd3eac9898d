const CHECK_INTERVAL_MS = 1000;

// Runs in a thread, and ends the process if its parent ends, even if the main thread is blocked.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, CHECK_INTERVAL_MS);
