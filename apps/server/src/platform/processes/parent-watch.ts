/** How often the parent is looked for, in milliseconds. */
const CHECK_EVERY_MS = 1000;

// Runs in a thread of its own: ends the process when its parent has gone, even where the main
// thread never pauses.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, CHECK_EVERY_MS);
