// Loaded into the service before it starts: how long one turn of its event loop took at most, and how much memory it held. It tells,
// and begins anew, at SIGUSR2.
import { writeFileSync } from 'node:fs';

const TELL_INTO = process.env.WATCH_EVENT_LOOP_FILE;
const EVERY_MS = 2;

let told = { heldMs: 0, peakMb: 0 };
let last = { at: performance.now(), cpu: process.cpuUsage() };

const cpuMsSince = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const look = () => {
  const at = performance.now();
  // What the machine did for others meanwhile is no cost of the service.
  const heldMs = Math.min(at - last.at, cpuMsSince(last.cpu)) - EVERY_MS;
  told = {
    heldMs: Math.max(told.heldMs, heldMs),
    peakMb: Math.max(told.peakMb, process.memoryUsage.rss() / 1_048_576),
  };
  last = { at, cpu: process.cpuUsage() };
};

setInterval(look, EVERY_MS).unref();

const SWEEP_MS = 50;
const collected = () => new Promise((resume) => setTimeout(resume, SWEEP_MS, globalThis.gc()));

/** What can't be collected: heap and what hangs on it. What hangs on it is given back some time after a collection. */
const heldMb = async () => {
  await collected();
  await collected();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
};

process.on('SIGUSR2', async () => {
  look();
  const before = { ...told, nowMb: process.memoryUsage.rss() / 1_048_576 };
  writeFileSync(TELL_INTO, JSON.stringify({ ...before, heldMb: await heldMb() }));
  told = { heldMs: 0, peakMb: 0 };
  last = { at: performance.now(), cpu: process.cpuUsage() };
});
