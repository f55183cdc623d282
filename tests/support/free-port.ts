import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to connections and to whoever asks for any port: nobody is given one of these by chance. */
const LOWEST = 20_000;
const BEYOND = 32_000;

/** A port of the loopback interface that nobody listens on, and that stays free while whoever listens there is away. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(LOWEST, BEYOND);
    const server = createServer().listen(port, '127.0.0.1');
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
};
