import type { MeasuredService } from './measured-service.js';
import type { Caller, Target } from './target.js';
import { send, type Answered, type Sent } from './send.js';

/** What one request may cost others. */
export interface Bounds {
  readonly delayMs: number;
  readonly memoryMb: number;
  /** How long it may hold a connection of the database, which it does no longer than it takes. */
  readonly tookMs: number;
}

const set = (name: string, bound: number): number => Number(process.env[name] ?? bound);

/** What the hash of a password takes by design, so that guessing is dear. */
const HASH_MB = 20;
const PASSWORD = /^(?:current_)?password$/;

/** A body beyond the ordinary is in memory as bytes, as a text, as its values and as a file: no more than four such are read at once. */
const TIMES_IN_MEMORY = 4;
const ORDINARY_BYTES = 1_048_576;
const memoryOfBody = (bytes: number): number => (bytes > ORDINARY_BYTES ? (TIMES_IN_MEMORY * bytes) / 1_000_000 : 0);

/** What the environment sets in their place is for looking for what is far beyond. */
export const boundsFor = ({ fields, bodyLimit }: Target, caller: Caller): Bounds => ({
  delayMs: set('COST_DELAY_MS', caller === 'nobody' ? 25 : 50),
  memoryMb:
    set('COST_MEMORY_MB', 20) +
    (fields.some(({ name }) => PASSWORD.test(name)) ? HASH_MB : 0) +
    memoryOfBody(bodyLimit),
  tookMs: 2_000,
});

export interface Cost {
  /** How long others waited for it, in milliseconds. */
  readonly delayMs: number;
  readonly memoryMb: number;
  readonly tookMs: number;
  readonly bytes: number;
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly end: 'answered' | 'hung' | 'killed';
  readonly beginning: string;
}

const PATIENCE_MS = 3_000;
const TRIES = 3;
/** No noise of a machine is as large. */
const BEYOND_DOUBT_MS = 1_500;
const OVERLOADED = 503;

const UNCOLLECTED = 1 / 4;

/** What is wrong with a cost, in words; nothing when it is within its bounds. */
export const faultsOf = (
  { delayMs, memoryMb, tookMs, bytes, status, end, beginning }: Cost,
  bounds: Bounds,
): string[] => {
  if (end === 'killed') return ['the process ended'];
  const faults: string[] = [];
  if (end === 'hung') faults.push(`nobody was served for ${PATIENCE_MS} ms`);
  if (delayMs > bounds.delayMs) faults.push(`delayed others by ${Math.round(delayMs)} ms`);
  // What was sent of a long answer is garbage, not all of which has been collected yet.
  const sentMb = (bytes / 1_048_576) * UNCOLLECTED;
  if (memoryMb > bounds.memoryMb + sentMb) faults.push(`took ${Math.round(memoryMb)} MB`);
  if (tookMs > bounds.tookMs) faults.push(`took ${Math.round(tookMs)} ms`);
  if (status >= 500) faults.push(`answered ${status}: ${beginning}`);
  return faults;
};

const endOf = (service: MeasuredService, { gaveUp }: Answered, served: boolean): Cost['end'] => {
  if (!service.running) return 'killed';
  return gaveUp && !served ? 'hung' : served ? 'answered' : 'hung';
};

const measureOnce = async (service: MeasuredService, sent: Sent): Promise<Cost> => {
  service.forgetPeak();
  const memory = service.memoryMb();
  service.probe.reset();
  const answered = await send(service.port, sent, PATIENCE_MS);
  const served = await service.probe.answers(PATIENCE_MS);
  const end = endOf(service, answered, served);
  return {
    delayMs: service.probe.worstMs,
    memoryMb: end === 'killed' ? 0 : Math.max(0, service.peakMb() - memory),
    tookMs: answered.tookMs,
    bytes: answered.bytes,
    // Overload that says when to come back is an answer that was promised.
    status: answered.status === OVERLOADED && answered.retryAfter ? 0 : answered.status,
    end,
    beginning: answered.beginning.replaceAll('\n', ' '),
  };
};

const least = (left: Cost, right: Cost): Cost => ({
  ...(left.status >= right.status ? left : right),
  delayMs: Math.min(left.delayMs, right.delayMs),
  memoryMb: Math.min(left.memoryMb, right.memoryMb),
  tookMs: Math.min(left.tookMs, right.tookMs),
});

const isBeyondDoubt = ({ end, delayMs, status }: Cost): boolean =>
  end !== 'answered' || delayMs > BEYOND_DOUBT_MS || status >= 500;

/**
 * Sends a request and tells what it cost others. One that is over its bounds is sent again, after garbage was collected, and the least
 * of it counts: a machine that is shared disturbs by turns, a request that costs too much does each time.
 */
export const measure = async (service: MeasuredService, make: () => Promise<Sent>, bounds: Bounds): Promise<Cost> => {
  let cost = await measureOnce(service, await make());
  for (let turn = 1; turn < TRIES && faultsOf(cost, bounds).length > 0 && !isBeyondDoubt(cost); turn += 1) {
    await service.collectGarbage();
    cost = least(cost, await measureOnce(service, await make()));
  }
  return cost;
};
