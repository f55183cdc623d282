import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '../../../../domain/shared/domain-error.js';

/** A command line with the environment that it has, and no other. */
export interface Command {
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Its process group is killed then; null is never. */
  readonly deadlineMs: number | null;
  /** Beyond them the system ends it. */
  readonly bounds?: ProcessBounds;
  /** Works while others leave the processor to it. */
  readonly yields?: boolean;
}

export interface ProcessBounds {
  readonly addressSpaceKib: number;
  /** Of memory that it writes to; files that it maps to read are beside it. */
  readonly dataKib: number | 'unlimited';
  /** Of the processor. */
  readonly seconds: number | 'unlimited';
}

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  /** What it wrote to the standard error. */
  readonly errors: string;
}

export interface Child {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<Ending>;
  kill(): void;
}

type Told =
  | { readonly kind: 'ready' }
  | { readonly kind: 'started'; readonly id: string; readonly pid: number }
  | ({ readonly kind: 'ended'; readonly id: string } & Ending);

interface Pending {
  readonly sockets: readonly Socket[];
  readonly started: () => void;
  readonly ended: (ending: Ending) => void;
  readonly lost: () => void;
  pid?: number;
}

const PROGRAM = fileURLToPath(new URL('runner-process.js', import.meta.url));
const LOST: Ending = { code: null, signal: 'SIGKILL', errors: 'The process that starts git has ended.' };
const unreachable = (): Unavailable => new Unavailable('repositories');

/** One process that starts commands; see `runner-process.js`. */
class RunnerProcess {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gatehouse-git-'));
  readonly #process: ChildProcess;
  readonly #pending = new Map<string, Pending>();
  readonly ready: Promise<void>;
  alive = true;

  constructor() {
    this.#process = fork(PROGRAM, [this.#socketPath], {
      env: { PATH: process.env['PATH'] ?? '' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    });
    // It ends with the service, and holds it up no longer than that.
    this.#process.unref();
    this.#process.channel?.unref();
    this.#process.on('message', (told: Told) => this.#hear(told));
    this.#process.on('exit', () => this.#lose());
    this.#process.on('error', () => this.#lose());
    this.ready = new Promise<void>((resolve, reject) => {
      this.#process.once('message', () => resolve());
      this.#process.once('exit', () => reject(unreachable()));
      this.#process.once('error', () => reject(unreachable()));
    });
    this.ready.catch(() => undefined);
  }

  get #socketPath(): string {
    return join(this.#folder, 'socket');
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  async start(command: Command): Promise<Child> {
    await this.ready;
    if (!this.alive) throw unreachable();
    const id = randomUUID();
    const [input, output] = await Promise.all([this.#open(id, 'input'), this.#open(id, 'output')]);
    let pending: Pending | undefined;
    const ended = new Promise<Ending>((resolve) => {
      pending = { sockets: [input, output], started: () => undefined, ended: resolve, lost: () => resolve(LOST) };
    });
    const started = new Promise<void>((resolve, reject) => {
      const lost = () => {
        pending?.lost();
        reject(unreachable());
      };
      this.#pending.set(id, { ...pending!, started: resolve, lost });
    });
    // A command that can't be started has ended before it has begun.
    const failed = ended.then(({ code }) => (code === null ? Promise.reject(unreachable()) : undefined));
    failed.catch(() => undefined);
    this.#process.send({ kind: 'start', id, command });
    await Promise.race([started, failed]);
    return { stdin: input, stdout: output, ended, kill: () => this.#tell({ kind: 'kill', id }) };
  }

  close(): void {
    this.alive = false;
    if (this.#process.connected) this.#process.disconnect();
  }

  async #open(id: string, way: 'input' | 'output'): Promise<Socket> {
    const socket = connect(this.#socketPath);
    socket.on('error', () => undefined);
    try {
      await once(socket, 'connect');
    } catch (error) {
      throw new Unavailable('repositories', { cause: error });
    }
    socket.write(`${id} ${way}\n`);
    // git reads from one and writes to the other.
    if (way === 'input') socket.resume();
    return socket;
  }

  #tell(message: object): void {
    if (this.#process.connected) this.#process.send(message, () => undefined);
  }

  #hear(told: Told): void {
    if (told.kind === 'ready') return;
    const pending = this.#pending.get(told.id);
    if (pending === undefined) return;
    if (told.kind === 'started') {
      pending.pid = told.pid;
      pending.started();
      return;
    }
    this.#pending.delete(told.id);
    if (told.code === null && pending.pid === undefined) pending.sockets.forEach((socket) => socket.destroy());
    pending.ended(told);
  }

  /** Its children have nobody to tell of them any more: they are ended, and what they answered is not to be believed. */
  #lose(): void {
    this.alive = false;
    for (const { sockets, lost, pid } of this.#pending.values()) {
      sockets.forEach((socket) => socket.destroy(unreachable()));
      if (pid !== undefined) killGroup(pid);
      lost();
    }
    this.#pending.clear();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

/** Starts commands by a process of its own, which is made when the first is asked for, and again when it has died. */
export class Runner {
  #process: RunnerProcess | undefined;
  #closed = false;

  /** @throws Unavailable when the command can't be started. */
  async start(command: Command): Promise<Child> {
    if (this.#closed) throw unreachable();
    if (this.#process?.alive !== true) this.#process = new RunnerProcess();
    return this.#process.start(command);
  }

  /** Of the process that starts commands while it lives, for tests that end it. */
  get pid(): number | undefined {
    return this.#process?.alive === true ? this.#process.pid : undefined;
  }

  /** Ends what still runs. */
  close(): void {
    this.#closed = true;
    this.#process?.close();
  }
}
