// Remembers in this browser which files of a change somebody has viewed, and folds these. Without it the page lacks nothing but the marks.
const NAME = 'gatehouse-viewed';
const MOST_MARKS = 5_000;

/** The oldest first; none where the browser keeps nothing for pages. */
const readMarks = () => {
  try {
    const marks = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(marks) ? marks : [];
  } catch {
    return [];
  }
};

const keepMark = (mark, viewed) => {
  const marks = readMarks().filter((each) => each !== mark);
  if (viewed) marks.push(mark);
  try {
    localStorage.setItem(NAME, JSON.stringify(marks.slice(-MOST_MARKS)));
  } catch {
    // Then the mark lasts as long as the page.
  }
};

const boxes = [...document.querySelectorAll('input[data-viewed]')];
const fileOf = (box) => box.closest('details.diff');
const linkTo = (file) => document.querySelector(`.changed-files a[href="#${file.id}"]`);

const showCount = () => {
  const count = document.querySelector('[data-viewed-count]');
  if (count === null) return;
  count.hidden = false;
  count.textContent = `${boxes.filter(({ checked }) => checked).length} of ${boxes.length} viewed`;
};

const show = (box) => {
  const file = fileOf(box);
  for (const mark of [file.querySelector('summary'), linkTo(file)?.parentElement])
    mark?.querySelector('[data-viewed-mark]')?.toggleAttribute('hidden', !box.checked);
  showCount();
};

/** Whether somebody came for something in the file, or is about to write there. */
const isWanted = (file) => {
  const wanted = document.getElementById(location.hash.slice(1));
  return file.contains(wanted) || file.querySelector('[autofocus]') !== null;
};

const marks = new Set(readMarks());
for (const box of boxes) {
  const file = fileOf(box);
  box.parentElement.hidden = false;
  box.checked = marks.has(box.dataset.viewed);
  if (box.checked && !isWanted(file)) file.open = false;
  show(box);
  box.addEventListener('change', () => {
    keepMark(box.dataset.viewed, box.checked);
    show(box);
    if (!box.checked) return;
    file.open = false;
    file.querySelector('summary').focus();
  });
  linkTo(file)?.addEventListener('click', () => {
    file.open = true;
  });
}
