import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import ssh2, { type AuthContext, type ClientInfo, type Connection, type PublicKeyAuthContext, type Server } from 'ssh2';
import type { Logger } from '../../../application/shared/ports/logger.js';
import { serveSessions, type SshSessionParts } from './ssh-session.js';

export interface SshServerParts extends SshSessionParts {
  readonly hostKeys: readonly string[];
  /** As clients see it. */
  readonly software: string;
}

/** Those of today that cost little; what holds a core for long, or is broken, is absent. */
const ALGORITHMS = {
  kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256', 'ecdh-sha2-nistp384'],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  serverHostKey: ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'rsa-sha2-512', 'rsa-sha2-256'],
  compress: ['none'],
} as const;

const MOST_CONNECTIONS = 1_000;
const MOST_OF_ADDRESS = 64;
/** Who hasn't shown a key by then is cut off. */
const SIGN_IN_MS = 20_000;
const MOST_KEYS = 8;
/** How long a connection may be kept without a command. */
const UNUSED_MS = 120_000;
const LOOK_AGAIN_MS = 25;

interface Link {
  readonly socket: Socket;
  /** Commands that run. */
  running: number;
  /** Ends it when nobody signs in, or it isn't used. */
  limit: NodeJS.Timeout;
}

/** Git over SSH. No client can do more to it than lose its own connection. */
export class SshServer {
  /** By the address and port of the client, as both sides of the library know them. */
  readonly #links = new Map<string, Link>();
  readonly #server: Server;
  readonly #listener = createServer({ noDelay: true }, (socket) => this.#take(socket));

  constructor(private readonly parts: SshServerParts) {
    this.#server = new ssh2.Server({
      hostKeys: [...parts.hostKeys],
      algorithms: ALGORITHMS as never,
      ident: parts.software,
      keepaliveInterval: 15_000,
      keepaliveCountMax: 3,
    });
    this.#server.on('connection', (connection, info) => this.#greet(connection, info));
    this.#server.on('error', (error: Error) => this.#log.warn('ssh server failed', { error: error.message }));
  }

  /** Answers the port. */
  async listen(port: number, host: string): Promise<number> {
    this.#listener.listen(port, host);
    await once(this.#listener, 'listening');
    return (this.#listener.address() as AddressInfo).port;
  }

  /** Takes no new connection, lets commands end that run, and cuts off what has not ended in time. */
  async close(limitMs: number): Promise<void> {
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    const idle = setInterval(() => this.#end(({ running }) => running === 0), LOOK_AGAIN_MS);
    const limit = setTimeout(() => this.#end(() => true), limitMs);
    await closed;
    clearInterval(idle);
    clearTimeout(limit);
  }

  get #log(): Logger {
    return this.parts.logger;
  }

  #end(which: (link: Link) => boolean): void {
    for (const link of this.#links.values()) if (which(link)) link.socket.destroy();
  }

  #take(socket: Socket): void {
    const { remoteAddress = '', remotePort = 0 } = socket;
    const name = `${remoteAddress} ${remotePort}`;
    const ofAddress = [...this.#links.keys()].filter((other) => other.startsWith(`${remoteAddress} `)).length;
    if (this.#links.size >= MOST_CONNECTIONS || ofAddress >= MOST_OF_ADDRESS) return void socket.destroy();
    const link: Link = { socket, running: 0, limit: setTimeout(() => socket.destroy(), SIGN_IN_MS) };
    this.#links.set(name, link);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(link.limit);
      this.#links.delete(name);
    });
    this.#server.injectSocket(socket);
  }

  #greet(connection: Connection, { ip, port }: ClientInfo): void {
    // What is wrong with a connection ends it, and concerns nobody else.
    connection.on('error', () => connection.end());
    const link = this.#links.get(`${ip} ${port}`);
    if (link === undefined) return void connection.end();
    let fingerprint: string | undefined;
    let asked = 0;
    connection.on('authentication', (context) => {
      asked += 1;
      if (asked > 2 * MOST_KEYS) return void connection.end();
      this.#recognize(context)
        .then((known) => {
          if (known === undefined) return context.reject(['publickey']);
          if (context.method === 'publickey' && context.signature !== undefined) fingerprint = known;
          context.accept();
        })
        .catch((error: unknown) => {
          this.#log.warn('ssh sign-in failed', { error: String(error) });
          connection.end();
        });
    });
    connection.once('ready', () => {
      if (fingerprint === undefined) return void connection.end();
      const unused = () => setTimeout(() => link.socket.destroy(), UNUSED_MS);
      clearTimeout(link.limit);
      link.limit = unused();
      const cutOff = (): void => void link.socket.destroy();
      serveSessions(this.parts, connection, { fingerprint, address: ip, cutOff }, (change) => {
        link.running += change;
        clearTimeout(link.limit);
        if (link.running === 0) link.limit = unused();
      });
    });
  }

  /** The fingerprint of a key that somebody has, and that the client holds where it says so. */
  async #recognize(context: AuthContext): Promise<string | undefined> {
    if (context.method !== 'publickey' || context.username !== 'git') return undefined;
    if (context.signature !== undefined && !isSigned(context)) return undefined;
    const fingerprint = this.parts.callers.fingerprintOf(context.key.data);
    return (await this.parts.callers.isKnown(fingerprint)) ? fingerprint : undefined;
  }
}

/** Checked before anything is asked of the database. */
const isSigned = ({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean => {
  // RSA with SHA-1 proves nothing any more.
  if (signature === undefined || blob === undefined || (key.algo === 'ssh-rsa' && hashAlgo === undefined)) return false;
  const parsed = ssh2.utils.parseKey(key.data);
  if (parsed instanceof Error) return false;
  // Its types don't say that it may answer an error.
  const verified: unknown = parsed.verify(blob, signature, hashAlgo);
  return verified === true;
};
