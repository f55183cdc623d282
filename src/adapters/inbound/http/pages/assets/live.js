// Brings what has changed into a page that is open, in its place: focus, scrolling and what is being typed stay as they are.
const PERIOD_MS = 30_000;

/** What somebody unfolded stays unfolded. */
const keepUnfolded = (part, fresh) => {
  const folded = [...fresh.querySelectorAll('details')];
  [...part.querySelectorAll('details')].forEach(({ open }, place) => {
    if (open && folded[place] !== undefined) folded[place].open = true;
  });
};

/** Puts the new content of a part in its place; the link that had the focus keeps it. */
const renew = (part, fresh) => {
  if (fresh === null) return;
  keepUnfolded(part, fresh);
  if (fresh.innerHTML === part.innerHTML) return;
  // What was chosen is not taken away.
  if (part.querySelector('input:checked') !== null) return;
  const held = part.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  part.replaceChildren(...fresh.childNodes);
  if (held === null) return;
  const again = [...part.querySelectorAll('a')].find((link) => link.getAttribute('href') === held);
  again?.focus({ preventScroll: true });
};

const look = async () => {
  if (document.hidden) return;
  const response = await fetch(location.href).catch(() => undefined);
  // Whoever was signed out meanwhile keeps what they are reading.
  if (response === undefined || !response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) renew(part, page.getElementById(part.id));
};

setInterval(() => void look(), PERIOD_MS);
document.addEventListener('visibilitychange', () => void look());
