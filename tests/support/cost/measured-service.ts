import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ServiceProcess } from '../service-process.js';
import { LoopProbe, type ThreadTimes } from './loop-probe.js';

const FLAGS = [
  '--expose-gc',
  // Whatever would take more is beyond every bound: its end should not take long.
  '--max-old-space-size=1024',
  '--import',
  "data:text/javascript,process.on('SIGUSR2',()=>{globalThis.gc();setTimeout(globalThis.gc,20)})",
];
/** The C library hands memory back as soon as it is free, so that the next request that wants as much has to ask for it again. */
export const PROMPT_MEMORY = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
} as const;
const LINUX = process.platform === 'linux';
const KIB_PER_MB = 1_000_000 / 1_024;
/** After which the memory that a collection gave up has been handed back. */
const SETTLE_MS = 100;

/** Starts what is to be measured, with Node's own flags. */
export type StartProcess = (flags: readonly string[]) => Promise<ServiceProcess>;

/** The service in a process of its own, beside the probe that tells how long others wait; started again when it has ended or hangs. */
export class MeasuredService {
  restarts = 0;

  private constructor(
    private readonly startProcess: StartProcess,
    private readonly databaseUrl: string | undefined,
    private process: ServiceProcess,
    public probe: LoopProbe,
  ) {}

  static async start(startProcess: StartProcess, databaseUrl?: string): Promise<MeasuredService> {
    const running = await startProcess(FLAGS);
    return new MeasuredService(startProcess, databaseUrl, running, await probeOf(running, databaseUrl));
  }

  get port(): number {
    return portOf(this.process);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get running(): boolean {
    return this.process.running;
  }

  /** Memory in use, in MB. */
  memoryMb(): number {
    return this.#memory('VmRSS');
  }

  /** The most that was in use since `forgetPeak`, in MB. */
  peakMb(): number {
    return this.#memory('VmHWM');
  }

  forgetPeak(): void {
    if (LINUX && this.running) writeFileSync(`/proc/${this.process.pid}/clear_refs`, '5');
  }

  /** Collects garbage, so that what is asked next has to ask for memory. */
  async collectGarbage(): Promise<void> {
    this.process.signal('SIGUSR2');
    await sleep(SETTLE_MS);
    await this.probe.answers(2_000);
  }

  /** Ends it, with whatever its database still does for it, and starts another. */
  async restart(): Promise<void> {
    this.restarts += 1;
    this.probe.close();
    if (this.running) await this.process.end('SIGKILL');
    await this.#endStatements();
    this.process = await this.startProcess(FLAGS);
    this.probe = await probeOf(this.process, this.databaseUrl);
  }

  async close(): Promise<void> {
    this.probe.close();
    if (this.running) await this.process.end('SIGKILL');
  }

  async #endStatements(): Promise<void> {
    if (this.databaseUrl?.startsWith('postgres') !== true) return;
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await client.end();
  }

  #memory(field: string): number {
    if (!LINUX || !this.running) return 0;
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / KIB_PER_MB;
  }
}

/** Of the main thread. On SQLite it stands still while the disk takes a commit, on PostgreSQL it runs or lets others in. */
const timesOf = (process: ServiceProcess, onSqlite: boolean): ThreadTimes => {
  if (!LINUX || !process.running) return { queuedMs: 0 };
  const schedule = readFileSync(`/proc/${process.pid}/task/${process.pid}/schedstat`, 'utf8').split(' ');
  const [ranMs, queuedMs] = [Number(schedule[0]) / 1e6, Number(schedule[1]) / 1e6];
  return onSqlite ? { queuedMs } : { queuedMs, ranMs };
};

const probeOf = (process: ServiceProcess, databaseUrl: string | undefined): Promise<LoopProbe> =>
  LoopProbe.start(portOf(process), () => timesOf(process, databaseUrl?.startsWith('postgres') !== true));

const portOf = ({ url }: ServiceProcess): number => Number(new URL(url).port);
