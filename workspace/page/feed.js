// The server's stream of changes, handed to whoever asked for their type. It comes back by itself when it is lost.

const handlers = new Map();
const RETRY_MS = 1000;

export function on(type, handler) {
  handlers.set(type, [...(handlers.get(type) || []), handler]);
}

export function hand(event) {
  (handlers.get(event.type) || []).forEach((handler) => handler(event));
}

// `opened` is called after every connection, since changes may have been missed before it; `lost` when it breaks.
export function follow(opened, lost) {
  const stream = new EventSource("/control/events");
  stream.onopen = opened;
  stream.onmessage = (event) => hand(JSON.parse(event.data));
  stream.onerror = () => {
    lost();
    // An answer that is no stream ends it for good; a lost connection is taken up again by the browser.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => follow(opened, lost), RETRY_MS);
  };
}
