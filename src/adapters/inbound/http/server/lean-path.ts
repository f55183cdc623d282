import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Answers a request past Express, or says that it is for others to answer: for what is asked so often that the cost of a framework
 * shows (`docs/performance.md`). The answer is to carry the id of the exchange, as `answerJson` sees to.
 */
export type LeanPath = (request: IncomingMessage, response: ServerResponse) => boolean;
