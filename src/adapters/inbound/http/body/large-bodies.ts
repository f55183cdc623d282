import type { IncomingMessage } from 'node:http';
import { Slots } from '../../../turns/slots.js';
import { declaresMoreThan } from './body-too-large.js';
import { ORDINARY_BODY, type BodyBounds } from './read-body.js';

/** Each takes several times its size while it is worked on: its bytes, its text, the parsed text, and what is made of it. */
const AT_ONCE = 4;
const OF_CALLER = 2;

const mayBeLarge = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || declaresMoreThan(request, ORDINARY_BODY.bytes);

/** Bounds how many large bodies are in memory at once, in all and of one caller; the others wait unread. */
export class LargeBodies {
  readonly #slots = new Slots(AT_ONCE, OF_CALLER);
  readonly #admitted = new WeakMap<IncomingMessage, () => void>();

  /** Waits for its turn where a body may be larger than most are. @throws Overloaded. */
  async admit(request: IncomingMessage, { bytes }: BodyBounds, caller: string): Promise<void> {
    if (bytes <= ORDINARY_BODY.bytes || !mayBeLarge(request)) return;
    this.#admitted.set(request, await this.#slots.take(caller));
  }

  /** Nothing works on its body any longer. */
  release(request: IncomingMessage): void {
    this.#admitted.get(request)?.();
  }
}
