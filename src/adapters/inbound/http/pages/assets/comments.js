// An address that ends in #note_5, as clients of the API are given it, leads to the page that has this comment.
const [, wanted] = /^#note_(\d{1,15})$/.exec(location.hash) ?? [];
const asked = new URLSearchParams(location.search).get('note');
if (wanted !== undefined && asked !== wanted && document.getElementById(`note_${wanted}`) === null)
  location.replace(`${location.pathname}?note=${wanted}${location.hash}`);
