// Points ChatKit at a Footlight server. See README.md.

const url = decodeURIComponent(location.hash.slice(1)) || "http://127.0.0.1:7390/chatkit";
const token = prompt(`The token of the server at ${new URL(url).host}`);

// ChatKit has no place for a token of ours, so each of its requests gets one on its way.
async function authorizedFetch(input, options = {}) {
  const headers = new Headers(options.headers);
  headers.set("Authorization", `Bearer ${token}`);
  headers.set("Content-Type", "application/json");
  // No cookie is used, and none is sent to another site.
  return fetch(input, { ...options, headers, credentials: "omit" });
}

await customElements.whenDefined("openai-chatkit");
const chat = document.getElementById("chat");
chat.setOptions({
  // ChatKit sends the key in `X-ChatKit-Domain-Key`; a server can require one.
  api: { url, domainKey: "local-dev", fetch: authorizedFetch },
  history: { enabled: true, showDelete: true, showRename: true },
  threadItemActions: { feedback: true, retry: true },
  composer: { attachments: { enabled: false } },
  startScreen: {
    greeting: "What shall we do?",
    prompts: [{ label: "My tasks", prompt: "Show my todo list", icon: "notebook" }],
  },
});
// What waits for a person was asked before this page was opened, or is answered elsewhere meanwhile.
addEventListener("focus", () => chat.fetchUpdates());
chat.addEventListener("chatkit.error", (event) => console.error(event.detail.error));
