// Copies what a page has to be pasted elsewhere. Without it the text is there to be selected.
const WORDS_LAST_MS = 2_000;

/** Asks for nothing where the browser has no clipboard for pages, as over plain http. */
const copy = async (source) => {
  // A field, or what stands on the page.
  if (source.select === undefined) getSelection().selectAllChildren(source);
  else source.select();
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
  } catch {
    document.execCommand('copy');
  }
};

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  const words = button.innerHTML;
  button.addEventListener('click', async () => {
    await copy(document.getElementById(button.dataset.copy));
    button.textContent = 'Copied';
    setTimeout(() => {
      button.innerHTML = words;
    }, WORDS_LAST_MS);
  });
}
