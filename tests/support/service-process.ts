import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { processorTimeOf } from './processor-time.js';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));

/** Shows the errors of its log: a client sees no more of them than a 500. */
const showErrors = (log: Buffer): void => {
  if (log.includes('"level":"error"')) process.stderr.write(log);
};

export interface ServiceProcessOptions {
  /** Of Node's own. */
  readonly flags?: readonly string[];
  /** Takes what is written after the service is ready; without it errors are shown. */
  readonly onLog?: (log: Buffer) => void;
}

/** The built service as a process of its own, to be measured and killed. */
export class ServiceProcess {
  readonly #exited: Promise<unknown>;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** From the start of the process to the line that says it is ready, in milliseconds. */
    readonly readyAfter: number,
  ) {
    this.#exited = this.running ? once(child, 'exit') : Promise.resolve();
  }

  static start(
    settings: Readonly<Record<string, string>>,
    { flags = [], onLog }: ServiceProcessOptions = {},
  ): Promise<ServiceProcess> {
    return ServiceProcess.run([...flags, MAIN, 'serve'], { PORT: '0', ...settings }, onLog);
  }

  /** Any program of Node's that prints its address as the service does. */
  static async run(
    parameters: readonly string[],
    settings: Readonly<Record<string, string>>,
    onLog = showErrors,
  ): Promise<ServiceProcess> {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...parameters], {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /"address":"([^"]+)"/.exec(line)?.[1];
      if (address === undefined) continue;
      child.stdout.on('data', onLog).resume();
      return new ServiceProcess(child, address, performance.now() - startedAt);
    }
    throw new Error('The service ended before it was ready.');
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Memory in use, in MiB. */
  residentMemory(): number {
    return this.#memory('VmRSS');
  }

  /** The most memory that was in use so far, in MiB. */
  peakMemory(): number {
    return this.#memory('VmHWM');
  }

  /** Processor time of all its threads since it was started, in milliseconds. */
  processorTime(): number {
    return processorTimeOf(this.pid);
  }

  #memory(what: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  }

  /** Resolves, when it ends or has ended, with its code; with `null` when a signal ended it. */
  async ended(): Promise<number | null> {
    await this.#exited;
    return this.child.exitCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const ended = this.ended();
    this.child.kill(signal);
    return ended;
  }
}
