import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

import type { KeyboardEvent, UIEvent, WheelEvent } from "react";

/** Whoever scrolls back so near to the end wants to follow again. */
const NEAR = 24;
/** A scroll so soon after a wheel, a touch or a key is the user's; each one makes the next one theirs too, as touch runs on. */
const HAND_MS = 250;

/**
 * Shows the end of a list that grows, until the user scrolls up by wheel, touch, key or the scroll bar. What moves by
 * itself, such as a card that opens, changes nothing about it. Shows the end again when `begins` changes.
 */
export function useFollowing(begins: string) {
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const movedAt = useRef(-Infinity);
  const holds = useRef(false);
  const [isAway, setIsAway] = useState(false);

  const follow = useCallback((isOn: boolean) => {
    follows.current = isOn;
    setIsAway(!isOn);
  }, []);
  const toEnd = useCallback(() => {
    follow(true);
    if (frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [follow]);
  useLayoutEffect(toEnd, [toEnd, begins]);
  useEffect(() => {
    const [outer, inner] = [frame.current, content.current];
    if (!outer || !inner) return;
    const observer = new ResizeObserver(() => {
      const active = document.activeElement;
      // A card that the user works on stays in sight, whatever grows around it.
      if (active && inner.contains(active) && active.closest("[data-waiting-card]")) active.scrollIntoView({ block: "nearest" });
      else if (follows.current) outer.scrollTop = outer.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(outer);
    return () => observer.disconnect();
  }, []);

  const moved = (): void => {
    movedAt.current = performance.now();
  };
  const hands = {
    onWheel: ({ deltaY, currentTarget }: WheelEvent<HTMLElement>) => {
      moved();
      // Before the list moves: a piece of text may come in between and would pull it back.
      if (deltaY < 0 && currentTarget.scrollTop > 0) follow(false);
    },
    onTouchMove: moved,
    onKeyDown: ({ nativeEvent }: KeyboardEvent) => {
      if (!nativeEvent.isComposing) moved();
    },
    onPointerDown: () => {
      holds.current = true;
    },
    onPointerUp: () => {
      holds.current = false;
    },
    onPointerCancel: () => {
      holds.current = false;
    },
    onScroll: ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) => {
      if (!holds.current && performance.now() - movedAt.current > HAND_MS) return;
      moved();
      follow(scrollHeight - scrollTop - clientHeight < NEAR);
    },
  };
  return { frame, content, isAway, toEnd, hands };
}
