import { NotFound } from '../../domain/shared/domain-error.js';
import type { SubjectKind } from '../../domain/shared/subject.js';
import type { Actor } from '../shared/actor.js';
import {
  NOT_DISCUSSED,
  type PlaceOfSubject,
  type PlaceToDiscuss,
  type SubjectDetails,
  type SubjectSource,
} from './ports/subject-ports.js';

/** Has no value: nothing but what `Subjects.find` hands out has it. */
declare const SEEN: unique symbol;

/** Proof that the caller may see a subject; only `Subjects.find` hands it out. */
export interface VisibleSubject {
  readonly [SEEN]: true;
  readonly subject: SubjectDetails;
  /** The level of the caller in its project. */
  readonly level: number;
}

/** Has no value, like `SEEN`. */
declare const OPEN: unique symbol;

/** Proof that the caller may see a subject, and take part in its project; only `Subjects.findToDiscuss` hands it out. */
export interface DiscussableSubject extends VisibleSubject {
  readonly [OPEN]: true;
}

/** Finds what people talk about, of whichever kind. */
export class Subjects {
  readonly #sources: ReadonlyMap<SubjectKind, SubjectSource>;

  constructor(sources: readonly SubjectSource[]) {
    this.#sources = new Map(sources.map((source) => [source.kind, source]));
  }

  /** @throws NotFound when it is not there, or not for the caller to see; Forbidden. */
  async find<Kind extends SubjectKind>(
    actor: Actor,
    place: PlaceOfSubject<Kind>,
    kind: Kind,
    name: string,
  ): Promise<VisibleSubject> {
    return this.#find(actor, place, kind, name);
  }

  async #find(
    actor: Actor,
    place: PlaceOfSubject<SubjectKind>,
    kind: SubjectKind,
    name: string,
  ): Promise<VisibleSubject> {
    const source = this.#sources.get(kind);
    if (source === undefined) throw new NotFound();
    const subject = await source.find(actor, place, name);
    // eslint-disable-next-line no-restricted-syntax -- the source has decided it
    return { subject, level: place.level } as VisibleSubject;
  }

  /** The same, for who is about to comment on it or to do something else to it. @throws likewise. */
  async findToDiscuss<Kind extends SubjectKind>(
    actor: Actor,
    place: PlaceToDiscuss<Kind>,
    kind: Kind,
    name: string,
  ): Promise<DiscussableSubject> {
    return (await this.#find(actor, place, kind, name)) as DiscussableSubject;
  }

  /** The same subject, with a row that notes can refer to. */
  async begin(found: DiscussableSubject): Promise<DiscussableSubject> {
    const { subject } = found;
    const source = this.#sources.get(subject.kind);
    if (subject.id !== NOT_DISCUSSED || source?.begin === undefined) return found;
    return { ...found, subject: await source.begin(subject) };
  }
}
