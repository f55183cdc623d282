/**
 * What Markdown has here beside its tables and lists: parts that fold, footnotes, and emoji by their names. Nobody writes HTML by it: tags
 * come from here, without an attribute of theirs.
 */

const DETAILS = /^<details(?: open(?:="")?)?>[ \t]*(?:<summary>(.*)<\/summary>)?[ \t]*$/i;
const DETAILS_END = /^<\/details>[ \t]*$/i;
const SUMMARY = /^<summary>(.*)<\/summary>[ \t]*$/i;
const FENCE = /^(?:```|~~~)/;
/** Parts in parts; deeper ones are text. */
const DEEPEST = 8;

const lineAt = (state, line) => state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line]);

/** Where each part ends that begins on a line: looked up once for the whole text, however many begin. */
const endsIn = (state) => {
  const ends = new Map();
  const open = [];
  let fenced = false;
  for (let line = 0; line < state.lineMax; line += 1) {
    // Nobody knows yet which of the lines are in quotes.
    const text = lineAt(state, line).replace(/^(?:>[ \t]?)+/, '');
    if (FENCE.test(text)) fenced = !fenced;
    if (fenced) continue;
    if (DETAILS.test(text)) open.push(line);
    else if (DETAILS_END.test(text) && open.length > 0) {
      const begin = open.pop();
      if (open.length < DEEPEST) ends.set(begin, line);
    }
  }
  return ends;
};

const pushSummary = (state, content, line) => {
  state.push('summary_open', 'summary', 1).map = [line, line + 1];
  const inline = state.push('inline', '', 0);
  Object.assign(inline, { content: content.trim(), map: [line, line + 1], children: [] });
  state.push('summary_close', 'summary', -1);
};

/** The rule of a block. Known by its state, which is one for the whole text. */
const details = () => {
  const known = new WeakMap();
  return (state, begin, last, silent) => {
    if (state.sCount[begin] - state.blkIndent >= 4) return false;
    const opened = DETAILS.exec(lineAt(state, begin));
    if (opened === null) return false;
    if (!known.has(state)) known.set(state, endsIn(state));
    const end = known.get(state).get(begin);
    if (end === undefined || end >= last) return false;
    if (silent) return true;
    const open = state.push('details_open', 'details', 1);
    open.block = true;
    open.map = [begin, end + 1];
    let line = begin + 1;
    let summary = opened[1];
    if (summary === undefined && line < end) {
      summary = SUMMARY.exec(lineAt(state, line))?.[1];
      if (summary !== undefined) line += 1;
    }
    pushSummary(state, summary ?? 'Details', line - 1);
    const before = [state.parentType, state.lineMax];
    [state.parentType, state.lineMax] = ['blockquote', end];
    state.md.block.tokenize(state, line, end);
    [state.parentType, state.lineMax] = before;
    state.push('details_close', 'details', -1).block = true;
    state.line = end + 1;
    return true;
  };
};

const FOOTNOTE = /^\[\^([^\s[\]^]{1,100})\]:[ \t]*(.*)$/;
const FOOTNOTE_HERE = /\[\^([^\s[\]^]{1,100})\]/y;
const MOST_FOOTNOTES = 500;
const MOST_USES = 1_000;

/** `[^1]: Its text`, to the end of its paragraph. */
const footnoteText = (state, begin, last, silent) => {
  const found = FOOTNOTE.exec(lineAt(state, begin));
  if (found === null || state.sCount[begin] - state.blkIndent >= 4) return false;
  const notes = (state.env.footnotes ??= new Map());
  const [, name, first] = found;
  if (notes.size >= MOST_FOOTNOTES) return false;
  if (silent) return true;
  const lines = [first];
  let line = begin + 1;
  for (; line < last && !state.isEmpty(line) && !FOOTNOTE.test(lineAt(state, line)); line += 1)
    lines.push(lineAt(state, line));
  if (!notes.has(name)) notes.set(name, { content: lines.join('\n').trim(), number: 0, uses: 0 });
  state.line = line;
  return true;
};

/** `[^1]`, where there is such a footnote. Numbers are given as they are used. */
const footnoteUse = (state, silent) => {
  FOOTNOTE_HERE.lastIndex = state.pos;
  const name = FOOTNOTE_HERE.exec(state.src)?.[1];
  const note = name === undefined ? undefined : state.env.footnotes?.get(name);
  if (note === undefined || (state.env.footnoteUses ?? 0) >= MOST_USES) return false;
  if (!silent) {
    state.env.footnoteUses = (state.env.footnoteUses ?? 0) + 1;
    const used = (state.env.usedFootnotes ??= []);
    if (note.number === 0) note.number = used.push(note);
    note.uses += 1;
    state.push('footnote_use', '', 0).meta = { number: note.number, first: note.uses === 1 };
  }
  state.pos = FOOTNOTE_HERE.lastIndex;
  return true;
};

/** All that are used, below the text: also those that a footnote names. */
const footnotesBelow = (state) => {
  const used = state.env.usedFootnotes ?? [];
  const { Token, tokens, md, env } = state;
  const push = (type, meta) => tokens.push(Object.assign(new Token(type, '', 0), { block: true, meta }));
  if (used.length > 0) push('footnotes_open');
  for (let at = 0; at < used.length; at += 1) {
    push('footnote_open', { number: at + 1 });
    const { content } = used[at];
    const inline = Object.assign(new Token('inline', '', 0), { content, children: [] });
    tokens.push(inline);
    md.inline.parse(content, md, env, inline.children);
    push('footnote_close', { number: at + 1 });
  }
  if (used.length > 0) push('footnotes_close');
};

/** Ids hold nothing that people wrote; `env.own` tells those of a text from those of others on the page. */
const idOf = (env, kind, number) => `user-content-${kind}-${env.own}-${number}`;

const footnoteRules = {
  footnote_use: (tokens, index, _options, env) => {
    const { number, first } = tokens[index].meta;
    const id = first ? ` id="${idOf(env, 'fnref', number)}"` : '';
    return `<sup${id}><a href="#${idOf(env, 'fn', number)}">${number}</a></sup>`;
  },
  footnotes_open: () => '<hr>\n<ol>\n',
  footnote_open: (tokens, index, _options, env) => `<li id="${idOf(env, 'fn', tokens[index].meta.number)}">`,
  footnote_close: (tokens, index, _options, env) =>
    ` <a href="#${idOf(env, 'fnref', tokens[index].meta.number)}" title="Back to the text">↩</a></li>\n`,
  footnotes_close: () => '</ol>\n',
};

const EMOJI = /:([a-z0-9_+-]{1,50}):/g;

/** @param emojiNamed what a name means; undefined for none. */
const emoji =
  (emojiNamed) =>
  ({ tokens }) => {
    for (const { children } of tokens)
      for (const child of children ?? [])
        if (child.type === 'text')
          child.content = child.content.replaceAll(EMOJI, (written, name) => emojiNamed(name) ?? written);
  };

/** Whether a text may have an emoji by its name. */
export const mayHaveEmoji = (text) => text.search(EMOJI) !== -1;

/** Gives these extensions to Markdown. */
export const extend = (markdown, emojiNamed) => {
  const interrupts = { alt: ['paragraph', 'reference', 'blockquote', 'list'] };
  markdown.block.ruler.before('fence', 'details', details(), interrupts);
  markdown.block.ruler.before('reference', 'footnote_text', footnoteText, { alt: ['paragraph', 'reference'] });
  markdown.inline.ruler.before('link', 'footnote_use', footnoteUse);
  markdown.core.ruler.after('inline', 'footnotes_below', footnotesBelow);
  markdown.core.ruler.push('emoji', emoji(emojiNamed));
  Object.assign(markdown.renderer.rules, footnoteRules);
};
