/**
 * Makes HTML of code and of Markdown, away from the event loop of the service: some inputs take their time, and whoever asks gives up
 * on this thread when one takes too long.
 *
 * Plain JavaScript, and so is what it imports of ours, so that it runs as it stands from the sources.
 */
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import MarkdownIt from 'markdown-it';
import taskLists from 'markdown-it-task-lists';
import { extend, mayHaveEmoji } from './markup-extensions.js';

/** @type {import('highlight.js').HLJSApi} Colours take as long to load as all the rest: loaded for the first text with code. */
let hljs;
const hasCode = ({ kind, text }) => kind === 'code' || /```|~~~/.test(text);
const loadColours = async () => {
  hljs ??= (await import('highlight.js/lib/common')).default;
};

/** @type {Map<string, string>} The same for emoji. */
let emojiByName;
const loadEmoji = async () => {
  if (emojiByName !== undefined) return;
  const { gemoji } = await import('gemoji');
  emojiByName = new Map(gemoji.flatMap(({ emoji, names }) => names.map((name) => [name, emoji])));
};

/** Files whose language their whole name tells. */
const BY_NAME = { makefile: 'makefile', gnumakefile: 'makefile', gemfile: 'ruby', rakefile: 'ruby', '.bashrc': 'bash' };

const languageOf = (name) => {
  const lower = name.toLowerCase();
  const language = BY_NAME[lower] ?? /\.([^.]+)$/.exec(lower)?.[1] ?? '';
  return hljs.getLanguage(language) === undefined ? undefined : language;
};

/** A file, or a block in Markdown. Grammars take their time for more, and for a long line the square of it. */
const MOST_HIGHLIGHTED = 128 * 1024;
const LONGEST_LINE = 2_000;
const TOO_LONG = new RegExp(`.{${LONGEST_LINE + 1}}`);

/** Undefined where it is to be shown as it was written. */
const colour = (text, language) =>
  text.length > MOST_HIGHLIGHTED || TOO_LONG.test(text)
    ? undefined
    : hljs.highlight(text, { language, ignoreIllegals: true }).value;

/** Each line closes what it opened, and opens again what the line before left open. */
const splitLines = (html) => {
  const open = [];
  return html.split('\n').map((line) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g))
      if (tag.startsWith('</')) open.pop();
      else open.push(tag);
    return before + line + '</span>'.repeat(open.length);
  });
};

/** Undefined for a language that isn't known, too. */
const highlight = ({ name, text }) => {
  const language = languageOf(name);
  const html = language && colour(text, language);
  return html === undefined ? undefined : splitLines(html);
};

const markdown = new MarkdownIt({
  html: false,
  linkify: true,
  highlight: (text, name) => (hljs.getLanguage(name) === undefined ? '' : (colour(text, name) ?? '')),
});

extend(markdown, (name) => emojiByName?.get(name));
markdown.use(taskLists, { enabled: false, label: true });

const LONGEST_TASK_NAME = 100;

/** A button that ticks a task, for who may change the text: it sends the line of the task. See `tasks.ts`. */
const tickButton = (form, { map, content }, checked) => {
  const name = markdown.utils.escapeHtml([...content.trim()].slice(0, LONGEST_TASK_NAME).join(''));
  return `<button type="submit" class="task" form="${markdown.utils.escapeHtml(form)}" name="task" value="${map[0] + 1}" role="checkbox" aria-checked="${checked}" aria-label="${name}"></button>`;
};

markdown.core.ruler.push('ticks', ({ tokens, env }) => {
  if (env.ticks === undefined) return;
  for (const token of tokens) {
    const [label, box] = token.children ?? [];
    // No other HTML is among the tokens: texts have none.
    if (label?.type !== 'html_inline' || box?.type !== 'html_inline') continue;
    label.content = '<span>';
    token.children.at(-1).content = '</span>';
    box.content = tickButton(env.ticks, token, box.content.includes(' checked='));
  }
});

const MOST_REPEATED = 100_000;

/** A reference repeats the address and title that are written once: together no more than the text has. Beyond, its words alone are left. */
const boundReferences = ({ src, tokens }) => {
  let room = Math.max(src.length, MOST_REPEATED);
  for (const { children } of tokens)
    for (const child of children ?? []) {
      for (const [, value] of child.attrs ?? []) room -= value.length;
      if (room >= 0) continue;
      if (child.type === 'image') child.type = 'text';
      if (child.type === 'link_open' || child.type === 'link_close') child.tag = 'span';
      child.attrs = null;
      child.meta = { reference: true };
    }
};

markdown.core.ruler.push('bound_references', boundReferences);

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const IMAGE_DATA = /^data:image\/(?:png|gif|jpeg|webp);base64,/i;
markdown.validateLink = (address) => {
  const [, scheme] = SCHEME.exec(address.trim()) ?? [];
  return scheme === undefined || /^(?:https?|mailto)$/i.test(scheme) || IMAGE_DATA.test(address.trim());
};

/** The path in the repository that an address in a text means; undefined for one that leads elsewhere, as `//host` does. */
const pathInRepository = (address, folder) => {
  if (SCHEME.test(address) || address.startsWith('//') || address.startsWith('#')) return undefined;
  const base = `http://repository/${folder === '' ? '' : `${folder.split('/').map(encodeURIComponent).join('/')}/`}`;
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  return url?.host === 'repository' ? { path: url.pathname, hash: url.hash } : undefined;
};

/** An attached file, by its address in its own project, and by the whole one. */
const UPLOAD = /^(\/[\w.-]+\/[\w.-]+(?:\/[\w.-]+)*)?\/uploads\/[0-9a-f]{32}\/[^/?#\\]+$/;

/** Where the file is; undefined for what is none, and in texts that are not about a project. */
const attached = (address, { site, project }) => {
  const found = project === undefined ? null : UPLOAD.exec(address);
  return found === null ? undefined : `${site}${found[1] ?? project}${address.slice(found[1]?.length ?? 0)}`;
};

/** A badge that this service draws, below the address of a project. See `badge-picture-pages.ts`. */
const BADGE = /^\/[\w.-]+(?:\/[\w.-]+)+\/badges\/[^?#\\]+\.svg(?:\?[^#\\]*)?$/;

/** A part that leads to another place, as browsers read it. */
const LEADS_UP = /^[^?]*\/(?:\.|%2e){1,2}\//i;

/** Of such an address, with its query. */
const LONGEST_BADGE = 2_000;

/** Where such a badge is that a text has by its whole address, as READMEs do that are read elsewhere, too. */
const badgeOfOurs = (address, { service }) => {
  if (service === undefined || !address.startsWith(`${service}/`)) return undefined;
  const path = address.slice(service.length);
  return path.length <= LONGEST_BADGE && BADGE.test(path) && !LEADS_UP.test(path) ? path : undefined;
};

/** Ids of people's headings never meet those of the page. */
const PREFIX = 'user-content-';
const anchorOf = (text, taken) => {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
    .slice(0, 100);
  const count = taken.get(plain) ?? 0;
  taken.set(plain, count + 1);
  return PREFIX + (count === 0 ? plain : `${plain}-${count}`);
};

markdown.core.ruler.push('anchors', ({ tokens }) => {
  const taken = new Map();
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') token.attrSet('id', anchorOf(tokens[index + 1]?.content ?? '', taken));
  });
});

const MARKDOWN_FILE = /\.(?:md|markdown|mdown|mkd)$/i;
const LINE = /^#L\d/;

/** A heading of another file that is shown as Markdown has the same prefix there. */
const hashIn = ({ path, hash }) =>
  hash === '' || LINE.test(hash) || !MARKDOWN_FILE.test(path) ? hash : `#${PREFIX}${hash.slice(1)}`;

const rewriteLink = (token, env) => {
  const { blobs, folder } = env;
  const href = token.attrGet('href') ?? '';
  const file = attached(href, env);
  if (file !== undefined) return token.attrSet('href', file);
  const inside = blobs === undefined ? undefined : pathInRepository(href, folder);
  if (inside !== undefined) return token.attrSet('href', `${blobs}${inside.path}${hashIn(inside)}`);
  if (href.startsWith('#')) return token.attrSet('href', `#${PREFIX}${href.slice(1)}`);
  token.attrSet('rel', 'nofollow noreferrer noopener');
};

markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
  if (tokens[index].meta?.reference !== true) rewriteLink(tokens[index], env);
  return self.renderToken(tokens, index, options);
};

const escape = markdown.utils.escapeHtml;

/** A picture from elsewhere is a link: pages load nothing from others. */
markdown.renderer.rules.image = (tokens, index, options, env, self) => {
  const token = tokens[index];
  const source = token.attrGet('src') ?? '';
  const inside = env.raws === undefined ? undefined : pathInRepository(source, env.folder);
  const shown = attached(source, env) ?? badgeOfOurs(source, env) ?? (inside && env.raws + inside.path);
  const words = escape(self.renderInlineAsText(token.children ?? [], options, env));
  if (shown !== undefined) return `<img src="${escape(shown)}" alt="${words}" loading="lazy">`;
  if (IMAGE_DATA.test(source)) return `<img src="${escape(source)}" alt="${words}">`;
  const label = words === '' ? 'image' : words;
  // A link in a link would be two.
  if (token.meta?.inLink) return label;
  return `<a href="${escape(source)}" rel="nofollow noreferrer noopener">${label}</a>`;
};

markdown.core.ruler.push('images_in_links', ({ tokens }) => {
  for (const { children } of tokens) {
    let links = 0;
    for (const child of children ?? []) {
      if (child.type === 'link_open') links += 1;
      if (child.type === 'link_close') links -= 1;
      if (child.type === 'image') child.meta = { inLink: links > 0 };
    }
  }
});

// Pages allow no styles of their own.
markdown.core.ruler.push('alignment', ({ tokens }) => {
  for (const token of tokens) {
    const [, side] = /^text-align:(left|center|right)$/.exec(token.attrGet('style') ?? '') ?? [];
    if (side === undefined) continue;
    token.attrs = token.attrs.filter(([name]) => name !== 'style');
    token.attrSet('class', `align-${side}`);
  }
});

/** `#12`, `!3`, `%1`, `@name`, `group/project#12`, and the id of a commit. See `project-markdown.ts`. */
const REFERENCE =
  /(?<![\w/&.#%@!-])(?:(?:(?:[A-Za-z0-9_][\w.-]{0,254}\/)+[A-Za-z0-9_][\w.-]{0,254})?[#!%@][A-Za-z0-9_][A-Za-z0-9_.-]*|[0-9a-f]{40}(?!\w))/g;
const COMMIT = /^[0-9a-f]{40}$/;
const SHOWN_OF_COMMIT = 8;

/** Text and links that a text with references becomes. */
const linkReferences = (token, references, Token) => {
  const made = [];
  const text = (content) => {
    if (content === '') return;
    const part = new Token('text', '', 0);
    part.content = content;
    made.push(part);
  };
  let from = 0;
  for (const { index, 0: match } of token.content.matchAll(REFERENCE)) {
    // The end of a sentence is none of a name.
    const name = match.replace(/[.-]+$/, '');
    const href = Object.hasOwn(references, name.toLowerCase()) ? references[name.toLowerCase()] : undefined;
    if (href === undefined) continue;
    text(token.content.slice(from, index));
    const open = new Token('link_open', 'a', 1);
    open.attrSet('href', href);
    open.meta = { reference: true };
    made.push(open);
    text(COMMIT.test(name) ? name.slice(0, SHOWN_OF_COMMIT) : name);
    made.push(new Token('link_close', 'a', -1));
    from = index + name.length;
  }
  text(token.content.slice(from));
  return made;
};

markdown.core.ruler.push('references', ({ tokens, env, Token }) => {
  const { references } = env;
  if (references === undefined) return;
  for (const token of tokens) {
    let links = 0;
    token.children = token.children?.flatMap((child) => {
      if (child.type === 'link_open') links += 1;
      if (child.type === 'link_close') links -= 1;
      return child.type === 'text' && links === 0 ? linkReferences(child, references, Token) : [child];
    });
  }
});

/** What the reader may not open is no link; its words stay. */
markdown.core.ruler.push('closed', ({ tokens, env }) => {
  for (const { children } of tokens) {
    let open;
    for (const child of children ?? []) {
      if (child.type === 'link_open') {
        const href = child.attrGet('href') ?? '';
        open = env.closed?.some((beginning) => href.startsWith(beginning)) ? child : undefined;
      }
      if (open === undefined || (child !== open && child.type !== 'link_close')) continue;
      child.tag = 'span';
      child.attrs = null;
      child.meta = { reference: true };
    }
  }
});

// What is wider than the page scrolls by itself.
markdown.renderer.rules.table_open = () => '<div class="scroll"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';

const OWN_LENGTH = 6;

const render = ({ text, ...links }) =>
  markdown.render(text, { ...links, own: createHash('sha256').update(text).digest('hex').slice(0, OWN_LENGTH) });

/** Markdown as its specification has it, without extensions. */
const plain = new MarkdownIt('commonmark', { html: false });
plain.validateLink = markdown.validateLink;
plain.core.ruler.push('bound_references', boundReferences);

const WORK = {
  code: highlight,
  markdown: render,
  prose: render,
  loose: render,
  commonmark: ({ text }) => plain.render(text),
};

parentPort.on('message', async (task) => {
  let made;
  try {
    if (hasCode(task)) await loadColours();
    if (task.kind !== 'code' && task.kind !== 'commonmark' && mayHaveEmoji(task.text)) await loadEmoji();
    // From here on it is the text that takes long.
    parentPort.postMessage({ begun: process.threadCpuUsage?.() });
    made = WORK[task.kind](task);
  } catch {
    // What can't be made is shown as it was written.
  }
  parentPort.postMessage({ made });
});
parentPort.postMessage({ ready: true });
