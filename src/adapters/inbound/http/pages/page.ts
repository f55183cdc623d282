import { Router, type Request, type Response } from 'express';
import type { ProvedPerson } from '../../../../application/identity/prove-identity.js';
import type { WorkspaceReader } from '../../../../application/workspace/ports/workspace-readers.js';
import { ANONYMOUS } from '../../../../application/shared/actor.js';
import { together } from '../../../../application/shared/together.js';
import { Invalid, NotFound, NotPossible, Unauthenticated } from '../../../../domain/shared/domain-error.js';
import { recognize } from '../../../occasions/current-occasion.js';
import type { IdentifyByToken } from '../authentication/identify-by-token.js';
import { discardRest } from '../body/answer-and-discard.js';
import { LargeBodies } from '../body/large-bodies.js';
import type { UploadedFile } from '../body/parse-multipart.js';
import {
  API_FORMATS,
  isMultipart,
  PAGE_FORMATS,
  readBody,
  readFiles,
  SMALL_BODY,
  type BodyBounds,
} from '../body/read-body.js';
import { keepFiles } from '../body/sent-files.js';
import { exchangeOf } from '../server/exchange.js';
import { isStorable } from '../validation/storable-text.js';
import { leadBack } from './frame/lead-back.js';
import { MissingPart } from './frame/missing-part.js';
import { addressNow, type MovedPlacesParts } from './frame/moved-places.js';
import { pageAbove } from './frame/page-above.js';
import { countOpenTodos, type TodosOfFrames } from './frame/open-todos.js';
import { PlaceTabs } from './frame/place-tabs.js';
import { Places } from './frame/places.js';
import { UnsentBodies } from './frame/unsent-bodies.js';
import { isFromOurPage, unsentTexts, type UnsentText } from './frame/unsent-texts.js';
import type { PageContext } from './page-context.js';
import { actorOfContext } from './page-request.js';
import { actorOf, localPath, NOBODY, type Browser, type PageSessions } from './page-session.js';
import { refuseUndeclared, SENSITIVE_FORMS, type SensitivePath } from './declared-forms.js';
import type { ProofPage, ShowAgain } from './proof-page.js';
import { sendPage, type FieldProblems, type PageLocals } from './render.js';

import { field } from './form-fields.js';
export { field, fieldNumber, fields, pathNumber } from './form-fields.js';
export type { PageContext } from './page-context.js';

const readForm = (request: Request): Promise<unknown> => readBody(request, PAGE_FORMATS, SMALL_BODY);

/** A megabyte of text has up to three times as many bytes in a form. */
const LARGE_BODY: BodyBounds = { ...SMALL_BODY, bytes: 3 * 1_048_576 };
const readLargeForm = (request: Request): Promise<unknown> => readBody(request, PAGE_FORMATS, LARGE_BODY);

/** Of a form with files, which are in memory while they are worked on. */
export const UPLOAD_BYTES = 10 * 1_048_576;
const UPLOAD_BODY: BodyBounds = { ...SMALL_BODY, bytes: UPLOAD_BYTES, parts: 1_000 };

/** One file of the largest size, or some that are as large together, beside a text. */
const TEXT_WITH_FILES: BodyBounds = { ...UPLOAD_BODY, bytes: UPLOAD_BYTES + LARGE_BODY.bytes };

/** Fields with such a character count as empty: what was there would be gone without a word. @throws NotPossible. */
const refuseWhatCannotBeKept = ({ body }: Request): void => {
  if (!Object.values((body ?? {}) as Record<string, unknown>).every(isStorable))
    throw new NotPossible('The form has characters that no text can have, such as U+0000. Go back and take them out.');
};

/** They send what they like (RFC 8058 §3.1 has both kinds of forms): what can't be read says nothing. */
const readWhatMailProgramsSend = (request: Request): Promise<unknown> =>
  readBody(request, API_FORMATS, SMALL_BODY).catch(() => undefined);

type PageHandler = (context: PageContext) => Promise<void> | void;

/** What a sensitive form does before anybody proves who they are. */
interface BeforeProof {
  /** Where the form has the fields of the proof itself. */
  readonly showAgain?: ShowAgain;
  /** Whether the form was refused, and answered, since no proof would make it right: the page that asks would carry it on. */
  readonly refuse?: (context: PageContext) => Promise<boolean>;
}

/** Whether somebody must be signed in. For all but administrators, pages of theirs don't exist. */
type PageAccess = 'anyone' | 'signed_in' | 'administrator';

/** @throws NotFound. */
const refuseOthers = ({ user }: Browser, access: PageAccess): void => {
  if (access === 'administrator' && user?.admin !== true) throw new NotFound();
};

const isOfAdministrators = (path: string): boolean => path.startsWith('/admin');

/** A request on its way to a page. */
interface Visit {
  readonly path: string | RegExp;
  readonly access: PageAccess;
  readonly request: Request;
  readonly response: Response;
}

/** What the frames of pages, and those of projects and groups, are made of. */
export type PartsOfFrames = TodosOfFrames & MovedPlacesParts & { readonly reader: Pick<WorkspaceReader, 'groupNames'> };

/** Registers pages: each knows its browser, forms are checked before anything else, and who must sign in is sent to do so. */
export class Pages {
  readonly router = Router({ caseSensitive: true });
  /** Every part of the product adds its own, beside its pages. */
  readonly tabs = new PlaceTabs();
  readonly #places: Places;
  readonly #largeBodies = new LargeBodies();
  readonly #unsentBodies = new UnsentBodies();
  readonly #shown = new Set<string>();

  constructor(
    private readonly sessions: PageSessions,
    private readonly proofPage: ProofPage,
    private readonly frames: PartsOfFrames,
    private readonly identifyByToken: IdentifyByToken,
  ) {
    this.#places = new Places(this.tabs, frames.reader, frames.access);
  }

  get(path: string | RegExp, access: PageAccess, handle: PageHandler): void {
    this.#shown.add(String(path));
    const show = this.#orMoved(handle);
    this.router.get(path, (request, response) => this.#run({ path, access, request, response }, show));
  }

  /**
   * A file that programs fetch, too: here a token that may read repositories counts as at the API, in place of a session. On no other page
   * does it; the handler asks `readableProject` whose code is read.
   */
  getFile(path: RegExp, handle: PageHandler): void {
    this.#shown.add(String(path));
    const show = this.#orMoved(handle);
    this.router.get(path, async (request, response) => {
      exchangeOf(request).route = String(path);
      response.set('Cache-Control', 'no-store');
      const caller = await this.identifyByToken(request);
      if (caller === undefined) return this.#run({ path, access: 'anyone', request, response }, show);
      return show({ browser: NOBODY, caller, request, response, places: this.#places });
    });
  }

  #orMoved(handle: PageHandler): (context: PageContext) => Promise<void> {
    return async (context) => {
      try {
        await handle(context);
      } catch (error) {
        if (!(error instanceof NotFound) || context.response.headersSent) throw error;
        // A job asks for what is its project's alone, wherever its user may look.
        const actor = context.caller?.projectId === undefined ? actorOfContext(context) : ANONYMOUS;
        const now = await addressNow(this.frames, actor, context.request);
        if (now !== undefined) return context.response.redirect(302, now);
        if (error instanceof MissingPart) throw error;
        throw (await leadBack(this.frames, actor, context.request.path)) ?? error;
      }
    };
  }

  /**
   * Answers of forms are seen once: after success the handler redirects with 303.
   * @throws Error for a form of a profile or of administrators that is not declared ordinary.
   */
  post(path: string | RegExp, access: PageAccess, handle: PageHandler): void {
    refuseUndeclared(String(path));
    this.#post(path, access, handle);
  }

  /**
   * A form that decides who gets into an account: the handler is given somebody who has proved a short while ago who they are. Until then
   * a page asks, and carries the fields of the form on.
   *
   * @param ways what is done in place of that page.
   */
  postSensitive(
    path: SensitivePath,
    handle: (context: PageContext, person: ProvedPerson) => Promise<void> | void,
    { showAgain, refuse }: BeforeProof = {},
  ): void {
    const access = isOfAdministrators(path) ? 'administrator' : 'signed_in';
    this.#post(path, access, async (context) => {
      if ((await refuse?.(context)) === true) return;
      const person = await this.proofPage.ask(context, SENSITIVE_FORMS[path], showAgain);
      if (person === undefined) return;
      await handle(person.justNow ? await this.#recognizeAgain(context, access) : context, person);
    });
  }

  /** A form that holds a text of up to a megabyte: it is taken only from somebody who is signed in. */
  postLarge(path: string | RegExp, handle: PageHandler): void {
    this.#leadBack(path, 'signed_in');
    this.router.post(path, async (request, response) => {
      const { user } = await this.sessions.read(request, response);
      const read = user === undefined ? (sent: Request) => this.#unsentBodies.read(sent, LARGE_BODY) : readLargeForm;
      const visit = { path, access: 'signed_in', request, response } as const;
      return this.#runForm(visit, read, this.#checked(request, handle));
    });
  }

  /** The same for a text that may come with files: `withAttached` keeps them. */
  postText(path: string | RegExp, handle: PageHandler): void {
    this.#leadBack(path, 'signed_in');
    this.router.post(path, async (request, response) => {
      const { user } = await this.sessions.read(request, response);
      const read = (): Promise<unknown> => this.#readText(request, user?.id);
      const visit = { path, access: 'signed_in', request, response } as const;
      const run = this.#runForm(visit, read, this.#checked(request, handle));
      return run.finally(() => this.#largeBodies.release(request));
    });
  }

  async #readText(request: Request, userId: number | undefined): Promise<unknown> {
    // They are sent to sign in, and shown what they wrote.
    if (userId === undefined) return this.#unsentBodies.read(request, LARGE_BODY);
    if (!isMultipart(request)) return readLargeForm(request);
    await this.#largeBodies.admit(request, TEXT_WITH_FILES, `user ${userId}`);
    const { fields: sent, files } = await readFiles(request, TEXT_WITH_FILES);
    keepFiles(request, files);
    return sent;
  }

  /** A form with files: it is read only from somebody who is signed in, and of few at once. */
  postFiles(
    path: string | RegExp,
    handle: (context: PageContext, files: readonly UploadedFile[]) => Promise<void> | void,
  ): void {
    this.router.post(path, async (request, response) => {
      const { user } = await this.sessions.read(request, response);
      let files: readonly UploadedFile[] = [];
      const read = async (): Promise<unknown> => {
        // They are sent to sign in, whatever they send.
        if (user === undefined) return discardRest(request);
        await this.#largeBodies.admit(request, UPLOAD_BODY, `user ${user.id}`);
        const form = await readFiles(request, UPLOAD_BODY);
        files = form.files;
        return form.fields;
      };
      const visit = { path, access: 'signed_in', request, response } as const;
      const run = this.#runForm(
        visit,
        read,
        this.#checked(request, (context) => handle(context, files)),
      );
      return run.finally(() => this.#largeBodies.release(request));
    });
  }

  #post(path: string | RegExp, access: PageAccess, handle: PageHandler): void {
    this.#leadBack(path, access);
    this.router.post(path, (request, response) =>
      this.#runForm({ path, access, request, response }, readForm, this.#checked(request, handle)),
    );
  }

  /** What a form answered can be loaded again by whoever may send it, also where it has no page of its own. */
  #leadBack(path: string | RegExp, access: PageAccess): void {
    if (typeof path !== 'string') return;
    this.router.get(path, (request, response, next) => {
      if (this.#shown.has(path)) return next();
      const lead: PageHandler = () => response.redirect(303, pageAbove(request.path, path, this.#shown));
      return this.#run({ path, access, request, response }, lead);
    });
  }

  /** Comparing a password takes a while, in which they may have lost what the page asks for. */
  async #recognizeAgain(context: PageContext, access: PageAccess): Promise<PageContext> {
    const browser = await this.sessions.read(context.request, context.response);
    refuseOthers(browser, access);
    if (browser.user === undefined) throw new Unauthenticated();
    return { ...context, browser };
  }

  #checked(request: Request, handle: PageHandler): PageHandler {
    return (context) => {
      const texts = this.#writtenForOthers(context);
      if (texts.length > 0) return this.#showUnsent(context, texts);
      this.sessions.checkForm(context.browser, request);
      refuseWhatCannotBeKept(request);
      return handle(context);
    };
  }

  /**
   * A form of ours at an address that others post to, too. What lacks a field of ours is theirs, and is led on before anybody is recognized:
   * from another site browsers send no session along, and what they were given in its place would end it.
   *
   * @param ours the field.
   * @param lead where what is theirs goes on.
   */
  postBesideOthers(path: string, ours: string, handle: PageHandler, lead: (form: unknown) => string): void {
    refuseUndeclared(path);
    this.router.post(path, async (request, response) => {
      exchangeOf(request).route = path;
      request.body = await readForm(request);
      if (field(request, ours) !== '')
        return this.#run({ path, access: 'anyone', request, response }, this.#checked(request, handle));
      response.set('Cache-Control', 'no-store');
      response.redirect(303, lead(request.body));
    });
  }

  /**
   * A form that may come from anywhere, as from a mail program: the address itself proves that it may be sent, so that the handler
   * must check that, and nothing of the browser's session.
   */
  postFromAnywhere(path: string, handle: PageHandler): void {
    this.router.post(path, (request, response) =>
      this.#runForm({ path, access: 'anyone', request, response }, readWhatMailProgramsSend, handle),
    );
  }

  /** The form is read before anybody is recognized: a session may end while the last of it is on its way. */
  async #runForm(visit: Visit, read: (request: Request) => Promise<unknown>, handle: PageHandler): Promise<void> {
    const { path, request } = visit;
    exchangeOf(request).route = String(path);
    request.body = await read(request);
    await this.#run(visit, handle);
  }

  /** What they wrote meanwhile is theirs alone: it is shown where the form was made for this very browser, or on a page in it. */
  #askToSignIn(browser: Browser, request: Request, response: Response): void {
    const signInAgain = `/users/sign_in?return_to=${encodeURIComponent(localPath(request.originalUrl))}`;
    const isTheirs = this.sessions.isFormOf(browser, request) || isFromOurPage(request);
    const texts = isTheirs ? unsentTexts(request) : [];
    if (texts.length === 0) return response.redirect(303, signInAgain);
    response.status(401);
    sendPage(response, browser, 'unsent-texts', { title: 'You were signed out', texts, signInAgain });
  }

  /** What was written into a form that was made before somebody signed in or out in this browser. */
  #writtenForOthers({ browser, request }: PageContext): readonly UnsentText[] {
    return !this.sessions.isFormOf(browser, request) && isFromOurPage(request) ? unsentTexts(request) : [];
  }

  /** Nothing is done for a form that is not this session's; what was written is shown, to be sent by whoever is signed in now. */
  #showUnsent({ browser, request, response }: PageContext, texts: readonly UnsentText[]): void {
    response.status(403);
    const form = localPath(request.originalUrl);
    sendPage(response, browser, 'unsent-texts', { title: 'Nothing was saved', texts, form });
  }

  async #run({ path, access, request, response }: Visit, handle: PageHandler): Promise<void> {
    const exchange = exchangeOf(request);
    exchange.route = String(path);
    const browser = await this.sessions.read(request, response);
    if (browser.user !== undefined) {
      exchange.actor = `user:${browser.user.id}`;
      recognize(actorOf(browser));
    }
    response.set('Cache-Control', 'no-store');
    refuseOthers(browser, access);
    if (access === 'signed_in' && browser.user === undefined) return this.#askToSignIn(browser, request, response);
    const locals = response.locals as PageLocals;
    locals.openTodos = countOpenTodos(this.frames, browser);
    const handled = (async () => handle({ browser, request, response, places: this.#places }))();
    await together([locals.openTodos, handled]);
    await locals.sent;
  }
}

/** What to show beside the fields; any other error is passed on. */
export const problemsOf = (error: unknown): FieldProblems => {
  if (error instanceof Invalid) return error.problems;
  throw error;
};
