import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { SecretBox } from '../shared/ports/secrets.js';

/** What a link in a mail ends: mail about one subject, or about a project. */
export interface UnsubscribeTarget {
  readonly userId: UserId;
  readonly projectId: ProjectId;
  /** Absent where it is the whole project. */
  readonly subjectId?: number;
  /** What it was called when the mail was sent. */
  readonly words: string;
}

/** Links that prove that the service itself made them, and for whom: whoever has the mail may end the mail. */
export class UnsubscribeLinks {
  constructor(private readonly secretBox: SecretBox) {}

  tokenFor(target: UnsubscribeTarget): string {
    return this.secretBox.seal(JSON.stringify(target));
  }

  /** Undefined for what this service did not make. */
  read(token: string): UnsubscribeTarget | undefined {
    try {
      return JSON.parse(this.secretBox.open(token)) as UnsubscribeTarget;
    } catch {
      return undefined;
    }
  }
}
