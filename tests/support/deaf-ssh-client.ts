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

const REQUEST = '0014command=ls-refs\n00010009peel\n0000';
const AT_ONCE = 100;
const MOST_WAITING = 4_000_000;

/** Has a window of no bytes, so that nothing may be sent to it, and asks for refs by version 2 of the protocol of git. */
export class DeafSshClient {
  #open = true;

  private constructor(
    private readonly client: Client,
    private readonly channel: ClientChannel,
  ) {
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

  /** Sends so many requests, and no more once the connection has ended. */
  async ask(times: number): Promise<void> {
    const { _sock: socket } = this.client as unknown as Insides;
    for (let sent = 0; sent < times && this.#open; sent += AT_ONCE) {
      this.channel.write(REQUEST.repeat(AT_ONCE));
      await until(() => Promise.resolve(!this.#open || socket.writableLength <= MOST_WAITING));
    }
  }

  leave(): void {
    this.client.destroy();
  }
}
