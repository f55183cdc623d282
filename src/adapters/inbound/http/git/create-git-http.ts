import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { ServeFetch } from '../../../../application/repositories/serve-fetch.js';
import { ANONYMOUS } from '../../../../application/shared/actor.js';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { onOccasion, recognize } from '../../../occasions/current-occasion.js';
import type { ByteReader } from '../../../streams/byte-reader.js';
import { advertisedTo, REFS_OF_MERGE_REQUESTS } from '../../../../application/repositories/advertise-refs.js';
import type { Permitted } from '../../../../application/shared/permitted.js';
import { levelOfFeature } from '../../../../domain/workspace/project-features.js';
import type { Advertisement, AskedRefs } from '../../git/advertisement.js';
import { errorPacket, FLUSH, keepAlive, packet, readPacket, textOf } from '../../git/pkt-line.js';
import type { TakePush } from '../../git/take-push.js';
import { readPush, reportTooMany, TooManyChanges, type PushRequest } from '../../git/push-conversation.js';
import { answerJson } from '../server/answer-json.js';
import { exchangeOf } from '../server/exchange.js';
import type { LeanPath } from '../server/lean-path.js';
import { endAndDiscard } from '../body/answer-and-discard.js';
import { begin, sendRefusal, sendStream } from './git-answer.js';
import { readGitAddress, type GitAddress } from './git-address.js';
import { readGitBody } from './git-body.js';
import { isUnknown, type GitCaller } from '../../git/git-caller.js';
import type { GitGate } from '../../git/git-gate.js';
import { accessDenied, GitRefusal, ProjectMoved } from '../../git/git-refusal.js';
import type { IdentifyGitCaller } from './git-caller.js';

export interface GitHttpParts {
  readonly identify: IdentifyGitCaller;
  readonly gate: GitGate;
  readonly advertisement: Advertisement;
  readonly serveFetch: ServeFetch;
  readonly takePush: TakePush;
  /** @throws Unavailable while git is missing. */
  readonly ready: () => Promise<void>;
  readonly logger: Logger;
}

interface Visit {
  readonly request: Request;
  readonly response: ServerResponse;
  readonly address: GitAddress;
  readonly caller: GitCaller;
}

const KEEP_ALIVE_MS = 5_000;
const RECEIVED = { 'Content-Type': 'application/x-git-receive-pack-result' };
const NO_LFS = 'Git LFS is not enabled on this server: contact your admin.';

const versionOf = ({ headers }: IncomingMessage): 0 | 1 | 2 => {
  const asked = headers['git-protocol'];
  const versions = typeof asked === 'string' ? asked.split(':') : [];
  if (versions.includes('version=2')) return 2;
  return versions.includes('version=1') ? 1 : 0;
};

const routeOf = ({ asked }: GitAddress): string =>
  `/*path.git/${asked === 'ssh' ? 'ssh-*' : asked === 'lfs' ? 'info/lfs/*' : asked}`;

/** Whether somebody asks for refs of merge requests that are kept to the members of a project. */
const asksForKept = ({ project }: Permitted<'read_code'>, { prefixes = [] }: AskedRefs): boolean =>
  levelOfFeature(project.features, 'merge_requests') === 'private' &&
  prefixes.some((prefix) => prefix.startsWith(REFS_OF_MERGE_REQUESTS));

/** Smart HTTP: what git asks for below an address of a project. Past Express, for bodies and answers of any size. */
export const createGitHttp = (parts: GitHttpParts): LeanPath => {
  const answer = new GitAnswers(parts);
  return (request, response) => {
    const address = readGitAddress(request.url ?? '');
    if (address === undefined) return false;
    const exchange = exchangeOf(request);
    exchange.route = routeOf(address);
    exchange.unhurried = true;
    // Born with Express's prototype (`express-prototypes.ts`), so that it knows the address of the client.
    const { ip = null } = request as Request;
    void onOccasion({ by: ANONYMOUS, clientAddress: ip }, () => answer.answer(request as Request, response, address));
    return true;
  };
};

class GitAnswers {
  constructor(private readonly parts: GitHttpParts) {}

  async answer(request: Request, response: ServerResponse, address: GitAddress): Promise<void> {
    try {
      await this.#dispatch(request, response, address);
    } catch (error) {
      sendRefusal(request, response, error, this.parts.logger);
    }
  }

  async #dispatch(request: Request, response: ServerResponse, address: GitAddress): Promise<void> {
    if (address.asked === 'ssh') throw new GitRefusal(404, 'Not found');
    if (!address.spelledOut) return this.#redirect(request, response, address);
    const caller = await this.parts.identify(request);
    if ('actor' in caller && caller.actor.kind === 'user') {
      exchangeOf(request).actor = `user:${caller.actor.id}`;
      recognize(caller.actor);
    }
    const visit = { request, response, address, caller };
    if (address.asked === 'lfs') {
      if (isUnknown(caller)) throw accessDenied();
      return answerJson(response, 501, { message: NO_LFS }, { Connection: 'close' });
    }
    if (address.asked === 'info/refs') return this.#infoRefs(visit);
    if (request.method !== 'POST') throw new GitRefusal(405, 'Method not allowed', { Allow: 'POST' });
    const type = `application/x-${address.asked}-request`;
    if (request.headers['content-type'] !== type) throw new GitRefusal(415, `The content type must be ${type}.`);
    return address.asked === 'git-upload-pack' ? this.#fetch(visit) : this.#push(visit);
  }

  #redirect(request: Request, response: ServerResponse, { query }: GitAddress): void {
    if (request.method !== 'GET') throw new GitRefusal(404, 'Not found');
    const [path = ''] = request.url.split('?');
    begin(request, response, 302, { Location: `${path.replace(/\/info\/refs$/, '.git/info/refs')}${query}` });
    response.end();
  }

  /** git follows from here to where a project is now, says so, and sends its other requests there, too. */
  async #infoRefs(visit: Visit): Promise<void> {
    const { request, response, address } = visit;
    try {
      await this.#advertise(visit);
    } catch (error) {
      if (!(error instanceof ProjectMoved)) throw error;
      begin(request, response, 301, { Location: `/${error.pathNow}.git/info/refs${address.query}` });
      response.end();
    }
  }

  async #advertise({ request, response, address, caller }: Visit): Promise<void> {
    const { gate, advertisement, ready } = this.parts;
    const { service, projectPath } = address;
    const known = service === 'git-upload-pack' || service === 'git-receive-pack';
    if (request.method !== 'GET' || !known) {
      if (request.method === 'GET' && isUnknown(caller)) throw accessDenied();
      throw new GitRefusal(403, 'The command you are trying to execute is not allowed.');
    }
    const head = Buffer.concat([packet(`# service=${service}\n`), Buffer.from(FLUSH)]);
    const headers = { 'Content-Type': `application/x-${service}-advertisement` };
    if (service === 'git-receive-pack') {
      const target = await gate.pushing(caller, projectPath);
      await ready();
      const project = target.kind === 'there' ? advertisedTo(target.pushed.permitted) : undefined;
      begin(request, response, 200, headers);
      response.write(head);
      await sendStream(response, advertisement.forPush(project));
    } else {
      const permitted = await gate.reading(caller, projectPath);
      await ready();
      const version = versionOf(request);
      begin(request, response, 200, headers);
      if (version === 2) response.write(advertisement.capabilities());
      else {
        response.write(head);
        await sendStream(response, advertisement.forFetch(advertisedTo(permitted), version));
      }
    }
    response.end();
  }

  async #fetch({ request, response, address, caller }: Visit): Promise<void> {
    const { gate, advertisement, serveFetch } = this.parts;
    const permitted = await gate.reading(caller, address.projectPath);
    const version = versionOf(request);
    const body = readGitBody(request);
    const headers = { 'Content-Type': 'application/x-git-upload-pack-result' };
    // A probe before a large body.
    const first = await readPacket(body);
    if (first?.kind !== 'data') {
      begin(request, response, 200, headers);
      return void response.end();
    }
    if (version === 2 && textOf(first.payload) === 'command=ls-refs') {
      const asked = await advertisement.readAsked(body);
      // git says who asks only where it is asked: what strangers are not told of, somebody else may be.
      if (isUnknown(caller) && asksForKept(permitted, asked)) throw accessDenied();
      begin(request, response, 200, headers);
      await sendStream(response, advertisement.lsRefs(advertisedTo(permitted), asked));
      return void response.end();
    }
    const answer = await serveFetch.execute(permitted, version, wholeAgain(first.payload, body));
    begin(request, response, 200, headers);
    if (answer === undefined) response.write(errorPacket('A repository for this project does not exist yet.'));
    else await sendStream(response, answer);
    response.end();
  }

  async #push({ request, response, address, caller }: Visit): Promise<void> {
    const target = await this.parts.gate.pushing(caller, address.projectPath);
    const push = await readPush(readGitBody(request)).catch((error: unknown) => {
      if (error instanceof TooManyChanges) return error;
      throw error;
    });
    if (push === undefined) {
      begin(request, response, 200, RECEIVED);
      return void response.end();
    }
    if (push instanceof TooManyChanges) {
      begin(request, response, 200, RECEIVED);
      return endAndDiscard(request, response, reportTooMany(push));
    }
    const answer = await this.#whileAlive(push, request, response, () => this.parts.takePush.execute(target, push));
    if (!response.headersSent) begin(request, response, 200, RECEIVED);
    endAndDiscard(request, response, answer);
  }

  /** Tells a client that waits long that it is not forgotten; not before it has sent everything, for a status may still be told. */
  async #whileAlive(
    push: PushRequest,
    request: Request,
    response: ServerResponse,
    work: () => Promise<Buffer>,
  ): Promise<Buffer> {
    if (!push.capabilities.has('side-band-64k')) return work();
    const timer = setInterval(() => {
      if (!request.complete) return;
      if (!response.headersSent) begin(request, response, 200, RECEIVED);
      response.write(keepAlive());
    }, KEEP_ALIVE_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }
}

/** A request with the packet that was read of it. */
async function* wholeAgain(first: Buffer, body: ByteReader): AsyncGenerator<Uint8Array> {
  yield packet(first);
  yield* body.rest();
}
