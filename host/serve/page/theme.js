// @ts-check
// Applies the chosen theme before anything is drawn. A classic script, because modules run too late.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('footlight.theme');
  } catch {
    // Storage can be switched off; then the system decides.
  }
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
})();
