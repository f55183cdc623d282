import type { IncomingMessage } from 'node:http';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import type { TestService } from './test-service.js';
import { until } from './until.js';

/** The requests of a service whose bodies have not come as a whole. */
export class AwaitedBodies {
  readonly #requests = new Set<IncomingMessage>();

  constructor({ service }: TestService) {
    service.container.get(TOKENS.server).on('request', (request: IncomingMessage) => {
      this.#requests.add(request);
      request.once('close', () => this.#requests.delete(request));
    });
  }

  /** Resolves when the service reads so many of them: it has let in who sends them. */
  are(count: number): Promise<void> {
    const isRead = (request: IncomingMessage): boolean =>
      !request.complete && ['data', 'readable'].some((event) => request.listenerCount(event) > 0);
    return until(() => Promise.resolve([...this.#requests].filter(isRead).length === count));
  }
}
