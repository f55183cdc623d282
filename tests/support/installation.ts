import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));
const READY_DEADLINE_MS = 120_000;

export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Settings = Readonly<Record<string, string>>;

/** A started process and what it has printed so far. */
export class RunningProgram {
  stdout = '';
  stderr = '';
  #over = false;
  /** A process that has ended may have printed more than was read of it. */
  readonly #closed: Promise<unknown>;

  constructor(private readonly child: ChildProcess) {
    this.#closed = once(child, 'close').finally(() => (this.#over = true));
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  /** Waits for output and answers the match. @throws Error when the process ends before, or takes too long. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    const giveUpAt = performance.now() + READY_DEADLINE_MS;
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match !== null) return match;
      if (this.#over || performance.now() > giveUpAt) {
        throw new Error(`The program did not print ${String(pattern)}:\n${this.stdout}\n${this.stderr}`);
      }
      await sleep(5);
    }
  }

  /** The address that `serve` says it is ready at. */
  async address(): Promise<string> {
    return (await this.prints(/"address":"([^"]+)".*"message":"ready"/))[1] ?? '';
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async outcome(): Promise<CommandOutcome> {
    await this.#closed;
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }
}

/** The built program in a directory of its own, as an operator has it. */
export class Installation {
  readonly directory = mkdtempSync(join(tmpdir(), 'gatehouse-installation-'));
  readonly #running: RunningProgram[] = [];
  readonly outcomes: CommandOutcome[] = [];

  /** @param program where it was installed, if not where it was built. */
  constructor(
    private readonly settings: Settings = {},
    private readonly program = MAIN,
  ) {}

  start(parameters: readonly string[], settings: Settings = {}, input?: string): RunningProgram {
    const child = spawn(process.execPath, [this.program, ...parameters], {
      cwd: this.directory,
      env: { PATH: process.env['PATH'], PORT: '0', ...this.settings, ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input ?? '');
    const program = new RunningProgram(child);
    this.#running.push(program);
    return program;
  }

  async run(parameters: readonly string[], settings: Settings = {}, input?: string): Promise<CommandOutcome> {
    const outcome = await this.start(parameters, settings, input).outcome();
    this.outcomes.push(outcome);
    return outcome;
  }

  /** Ends what still runs and removes the directory. */
  async remove(): Promise<void> {
    for (const program of this.#running) {
      program.signal('SIGKILL');
      await program.outcome();
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}
