import { Duplex } from 'node:stream';
import type { Connection, ServerChannel, Session } from 'ssh2';
import type { Logger } from '../../../application/shared/ports/logger.js';
import { DomainError } from '../../../domain/shared/domain-error.js';
import { ANONYMOUS } from '../../../application/shared/actor.js';
import { onOccasion, recognize } from '../../occasions/current-occasion.js';
import { drained } from '../../streams/drained.js';
import { causeOf } from '../git/cause-of.js';
import { GitRefusal } from '../git/git-refusal.js';
import { Malformed } from '../git/pkt-line.js';
import type { GitConversation, Wire } from './git-conversation.js';
import type { SshCallers } from './ssh-caller.js';
import { framed, readSshCommand, told, versionOf } from './ssh-command.js';

export interface SshSessionParts {
  readonly callers: SshCallers;
  readonly conversation: GitConversation;
  readonly logger: Logger;
}

const IDLE_MS = 120_000;
const MOST_SESSIONS = 10;
const MOST_COMMAND = 4_096;
/** Twice what the library lets a client send at once: whoever keeps to that never has more waiting here. */
const MOST_UNREAD = 4 * 1_048_576;
const UNKNOWN_COMMAND = 128;
const FAULT = 'Something went wrong here. The log of the service says more.';

/** Who is at the other end of a connection. */
export interface SshVisitor {
  readonly fingerprint: string;
  readonly address: string;
  /** Ends the connection at once: to say goodbye would wait for a client that reads nothing. */
  readonly cutOff: () => void;
}

/** Serves the sessions of one connection whose key is known: commands of git and the welcome, and nothing else. */
export const serveSessions = (
  parts: SshSessionParts,
  connection: Connection,
  visitor: SshVisitor,
  busy: (change: 1 | -1) => void,
): void => {
  let open = 0;
  // Each of its commands waits for its end.
  connection.setMaxListeners(2 * MOST_SESSIONS);
  connection.on('session', (accept, reject) => {
    if (open >= MOST_SESSIONS) return void reject();
    open += 1;
    const session: Session = accept();
    session.once('close', () => (open -= 1));
    new SshSession(parts, connection, visitor, busy).begin(session);
  });
};

class SshSession {
  #protocol: string | undefined;
  #begun = false;

  constructor(
    private readonly parts: SshSessionParts,
    private readonly connection: Connection,
    private readonly visitor: SshVisitor,
    private readonly busy: (change: 1 | -1) => void,
  ) {}

  begin(session: Session): void {
    session.on('env', (accept, reject, { key, val }) => {
      if (key !== 'GIT_PROTOCOL' || val.length > 100) return void (reject as (() => void) | undefined)?.();
      this.#protocol = val;
      (accept as (() => void) | undefined)?.();
    });
    session.on('shell', (accept, reject) => this.#start(accept, reject, undefined));
    session.on('exec', (accept, reject, { command }) => this.#start(accept, reject, command));
  }

  #start(accept: () => ServerChannel, reject: () => void, command: string | undefined): void {
    // One channel runs one command.
    if (this.#begun || (command?.length ?? 0) > MOST_COMMAND) return void reject();
    this.#begun = true;
    const channel = accept();
    channel.on('error', () => undefined);
    channel.stderr.on('error', () => undefined);
    boundUnread(channel, () => {
      breakOff(channel);
      this.visitor.cutOff();
    });
    this.busy(1);
    const occasion = { by: ANONYMOUS, clientAddress: this.visitor.address };
    // From the beginning: whoever leaves while it is looked up who they are leaves nothing behind, either.
    const leave = (): void => breakOff(channel);
    this.connection.once('close', leave);
    void onOccasion(occasion, () => this.#serve(channel, command)).finally(() => {
      this.connection.off('close', leave);
      this.busy(-1);
    });
  }

  async #serve(channel: ServerChannel, command: string | undefined): Promise<void> {
    const began = performance.now();
    let actor = 'nobody';
    let code: number;
    try {
      const found = await this.parts.callers.find(this.visitor.fingerprint);
      if ('actor' in found.caller) recognize(found.caller.actor);
      actor = found.actor;
      if (command === undefined) {
        channel.write(`Welcome to GitLab, ${found.name}!\r\n`);
        code = 0;
      } else code = await this.#run(channel, command, found.caller);
    } catch (error) {
      code = this.#refuse(channel, error);
    }
    // What a client says of projects that it can't see is not for the log; the word of the command is.
    const asked = command === undefined ? 'none' : (/^git[ -][a-z-]+/.exec(command)?.[0] ?? 'unknown');
    this.parts.logger.info('ssh command', { command: asked, actor, code, ms: Math.round(performance.now() - began) });
    if (channel.destroyed) return;
    channel.exit(code);
    channel.end();
  }

  async #run(channel: ServerChannel, text: string, caller: Parameters<GitConversation['hold']>[0]['caller']) {
    const command = readSshCommand(text);
    if (command.kind !== 'git') {
      const shown = text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200);
      const what = command.kind === 'unknown' ? 'Unknown command' : 'Failed to parse command';
      channel.stderr.write(framed(`${what}: ${shown}`));
      return UNKNOWN_COMMAND;
    }
    const wire = new ChannelWire(channel);
    try {
      await this.parts.conversation.hold({ caller, command, version: versionOf(this.#protocol) }, wire);
    } finally {
      wire.close();
    }
    return 0;
  }

  #refuse(channel: ServerChannel, error: unknown): number {
    // Somebody who has left hears nothing, and it is no fault of ours.
    if (channel.destroyed) return 1;
    channel.stderr.write(framed(this.#reasonOf(error)));
    return 1;
  }

  #reasonOf(error: unknown): string {
    if (error instanceof GitRefusal || error instanceof Malformed) return error.message;
    if (error instanceof DomainError) {
      const later = error.kind === 'unavailable';
      if (later) this.parts.logger.warn('ssh command failed', { error: causeOf(error) });
      return later ? `${error.message} Try again later.` : error.message;
    }
    this.parts.logger.error('ssh command failed', { error: causeOf(error) });
    return FAULT;
  }
}

/**
 * Ends a channel for whoever waits at either of its ends. The library alone tells the client, and waits for what was sent to be read:
 * where we wait for the client to read first, nothing would ever end.
 */
const breakOff = (channel: ServerChannel): void => {
  channel.destroy();
  Duplex.prototype.destroy.call(channel, new Malformed('The client has left.'));
};

/** What a client sends beyond its window the library takes, and keeps until it is read: such a client is refused. */
const boundUnread = (channel: ServerChannel, refuse: () => void): void => {
  const take = channel.push.bind(channel);
  channel.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    // What ends the input is null.
    if (chunk === null || channel.readableLength <= MOST_UNREAD) return take(chunk, encoding);
    refuse();
    return false;
  };
};

/** A channel that is closed when neither side says anything for a while. */
class ChannelWire implements Wire {
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly channel: ServerChannel) {
    this.#timer = setTimeout(() => breakOff(channel), IDLE_MS);
  }

  get input(): AsyncIterable<Uint8Array> {
    return this.#arriving();
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { channel } = this;
    if (channel.destroyed || channel.writableEnded) throw new Malformed('The client has left.');
    this.#timer.refresh();
    if (!channel.write(bytes)) await drained(channel);
  }

  tell(lines: readonly string[]): void {
    this.channel.stderr.write(told(lines));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async *#arriving(): AsyncGenerator<Uint8Array> {
    const chunks = this.channel.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    for await (const chunk of chunks) {
      this.#timer.refresh();
      yield chunk;
    }
  }
}
