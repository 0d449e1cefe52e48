import { useEffect, useRef, useState } from "react";

const AHEAD = "300px 0px";
const observers = new WeakMap<Element | Document, IntersectionObserver>();
const waiting = new WeakMap<Element, () => void>();

/**
 * Whether an element has come near the part of its scrolling ancestor (`data-scrolls`) that is seen. Once it has, it stays
 * so. Where nothing can be observed, everything is seen.
 */
export function useInView<E extends Element>() {
  const ref = useRef<E>(null);
  const [isSeen, setIsSeen] = useState(typeof IntersectionObserver === "undefined");
  useEffect(() => {
    if (ref.current && !isSeen) return watch(ref.current, () => setIsSeen(true));
  }, [isSeen]);
  return [ref, isSeen] as const;
}

function watch(element: Element, onSeen: () => void): () => void {
  const observer = observerOf(element.closest("[data-scrolls]") ?? element.ownerDocument);
  waiting.set(element, onSeen);
  observer.observe(element);
  return () => observer.unobserve(element);
}

/** One observer for all elements that scroll together: many cost as much as drawing. */
function observerOf(root: Element | Document): IntersectionObserver {
  const known = observers.get(root);
  if (known) return known;
  const made = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
    },
    { root, rootMargin: AHEAD },
  );
  observers.set(root, made);
  return made;
}
