import { once } from 'node:events';
import type { Writable } from 'node:stream';
import ssh2, { type Client, type ClientChannel } from 'ssh2';
import type { TestKey } from './ssh-keys.js';
import { until } from './until.js';

/** What the types of the library don't tell of it. */
interface Insides {
  readonly _protocol: { session: (channel: number, window: number, packet: number) => void };
  readonly _sock: Writable;
}
interface InsidesOfChannel {
  readonly outgoing: { window: number; packetSize: number };
}

const REQUEST = '0014command=ls-refs\n00010009peel\n0000';
const AT_ONCE = 100;
const MOST_WAITING = 4_000_000;

/** Has a window of no bytes, so that nothing may be sent to it, and asks for refs by version 2 of the protocol of git. */
export class DeafSshClient {
  #open = true;
  #ignoring = false;
  readonly #closed: Promise<void>;

  private constructor(
    private readonly client: Client,
    private readonly channel: ClientChannel,
  ) {
    // Not `once` of events: the connection is reset while this side still sends, and that is an end like any other.
    this.#closed = new Promise((resolve) => client.once('close', () => resolve()));
    client.once('close', () => (this.#open = false));
    client.on('error', () => undefined);
    channel.on('error', () => undefined);
  }

  static async start(port: number, { secret }: TestKey, command: string): Promise<DeafSshClient> {
    const client = new ssh2.Client();
    client.connect({ host: '127.0.0.1', port, username: 'git', privateKey: secret });
    await once(client, 'ready');
    const { _protocol: protocol } = client as unknown as Insides;
    const open = protocol.session.bind(protocol);
    protocol.session = (channel, _window, packet) => open(channel, 0, packet);
    const channel = await new Promise<ClientChannel>((resolve, reject) => {
      client.exec(command, { env: { GIT_PROTOCOL: 'version=2' } }, (error, opened) =>
        error === undefined ? resolve(opened) : reject(error),
      );
    });
    return new DeafSshClient(client, channel);
  }

  /** From now on it sends as if it were let send anything. */
  ignoreWindow(): void {
    this.#ignoring = true;
  }

  /** Sends so many requests, and no more once the connection has ended. */
  async ask(times: number): Promise<void> {
    const { _sock: socket } = this.client as unknown as Insides;
    const { outgoing } = this.channel as unknown as InsidesOfChannel;
    for (let sent = 0; sent < times && this.#open; sent += AT_ONCE) {
      // Of a size whose multiples are no window, which the library would take for its end.
      if (this.#ignoring) Object.assign(outgoing, { window: Number.MAX_SAFE_INTEGER, packetSize: 30_001 });
      this.channel.write(REQUEST.repeat(AT_ONCE));
      await until(() => Promise.resolve(!this.#open || socket.writableLength <= MOST_WAITING));
    }
  }

  leave(): void {
    this.client.destroy();
  }

  /** Resolves when the other side has ended its connection. */
  ended(): Promise<void> {
    return this.#closed;
  }
}
