import { NotFound } from '../../../../../domain/shared/domain-error.js';

/** Where the reader may go on. */
interface Lead {
  readonly href: string;
  readonly words: string;
}

/** What is not there, of a place that its reader may see: the page says what it is, and leads on. */
export class MissingPart extends NotFound {
  constructor(
    subject: string,
    readonly explanation: string,
    readonly lead: Lead,
  ) {
    super(subject);
  }
}
