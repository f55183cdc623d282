import type { ReceivePush } from '../../../application/repositories/receive-push.js';
import type { GitGate, PushTarget } from './git-gate.js';
import { writeReport, type PushRequest } from './push-conversation.js';

export interface TakePushParts {
  readonly gate: GitGate;
  readonly receivePush: ReceivePush;
  /** Where git clones a project from, in the way that it is spoken to. */
  readonly cloneUrl: (fullPath: string) => string;
  readonly pageUrl: (fullPath: string) => string;
}

/** Takes a push, after making the project that it is for where that isn't there yet. */
export class TakePush {
  constructor(private readonly parts: TakePushParts) {}

  /** The report that git reads. @throws GitRefusal 422 when the project can't be made. */
  async execute(target: PushTarget, push: PushRequest): Promise<Buffer> {
    const { changes, capabilities, pack } = push;
    const { permitted, pusher, messages } = await this.#admit(target);
    const report = await this.parts.receivePush.execute(permitted, pusher, {
      changes,
      atomic: capabilities.has('atomic'),
      pack,
    });
    return writeReport({ ...report, messages: [...report.messages, ...messages] }, capabilities);
  }

  async #admit(target: PushTarget) {
    if (target.kind === 'there') return { permitted: target.permitted, pusher: target.pusher, messages: [] };
    const permitted = await this.parts.gate.create(target.project);
    return { permitted, pusher: target.project.creator, messages: this.#tellOfProject(permitted.project.fullPath) };
  }

  #tellOfProject(fullPath: string): readonly string[] {
    return [
      '',
      `The private project ${fullPath} was successfully created.`,
      '',
      'To configure the remote, run:',
      `  git remote add origin ${this.parts.cloneUrl(fullPath)}`,
      '',
      'To view the project, visit:',
      `  ${this.parts.pageUrl(fullPath)}`,
      '',
    ];
  }
}
