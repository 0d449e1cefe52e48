import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { inOrder, useWished } from "./wished";

/** A server that keeps the wish of the last request it answered, whichever was sent first. */
class SlowServer {
  stored = false;
  readonly waiting: (() => void)[] = [];

  save = (wish: boolean): Promise<void> =>
    new Promise((done) => {
      this.waiting.push(() => {
        this.stored = wish;
        done();
      });
    });
}

function Switch({ server }: { server: SlowServer }) {
  const change = useMutation({ ...inOrder("switch"), mutationFn: server.save });
  const [isOn, wish] = useWished(server.stored, change.mutate);
  return <input type="checkbox" checked={isOn} onChange={(event) => wish(event.target.checked)} />;
}

describe("a setting that is saved at once", () => {
  it("stays at the last wish, also when the server is slow", async () => {
    const server = new SlowServer();
    const page = render(
      <QueryClientProvider client={new QueryClient()}>
        <Switch server={server} />
      </QueryClientProvider>,
    );
    const box = screen.getByRole("checkbox");
    for (const isOn of [true, false, true]) {
      await userEvent.click(box);
      expect(box).toHaveProperty("checked", isOn);
    }
    page.unmount();
    for (let answered = 0; answered < 3; answered++) {
      await waitFor(() => expect(server.waiting).toHaveLength(1));
      server.waiting.pop()?.();
    }
    await waitFor(() => expect(server.stored).toBe(true));
  });
});
