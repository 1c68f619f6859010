"use strict";
(() => {
  const deals = [...document.querySelectorAll(".deal")].filter((deal) => deal.querySelector(".frame"));
  const steppers = deals.map((deal) => {
    const frames = [...deal.querySelectorAll(".frame")];
    const links = [...deal.querySelectorAll(".log a")];
    const bar = deal.querySelector(".stepper");
    const slider = bar.querySelector("input");
    const said = bar.querySelector("output");
    const button = (name) => bar.querySelector(`[data-do="${name}"]`);
    const broken = frames.flatMap((frame, i) => (frame.classList.contains("broken") ? [i] : []));
    let now = 0;
    let all = false;

    const show = (number, quietly) => {
      now = Math.max(0, Math.min(frames.length - 1, number));
      frames.forEach((frame, i) => { frame.hidden = !all && i !== now; });
      links.forEach((link) => {
        if (link.hash !== `#${frames[now].id}`) {
          link.removeAttribute("aria-current");
          return;
        }
        link.setAttribute("aria-current", "step");
        const list = link.closest("ol");
        const [above, below] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
        if (above.top < below.top) list.scrollTop -= below.top - above.top;
        if (above.bottom > below.bottom) list.scrollTop += above.bottom - below.bottom;
      });
      const words = frames[now].querySelector("h3").textContent;
      slider.value = String(now);
      slider.setAttribute("aria-valuetext", words);
      said.textContent = `${now} ${said.dataset.of} ${frames.length - 1}: ${words}`;
      button("first").disabled = button("back").disabled = now === 0;
      button("on").disabled = button("last").disabled = now === frames.length - 1;
      if (all && !quietly) frames[now].scrollIntoView({ block: "start" });
    };
    const acts = {
      first: () => show(0),
      back: () => show(now - 1),
      on: () => show(now + 1),
      last: () => show(frames.length - 1),
      violation: () => show(broken.find((i) => i > now) ?? broken[0]),
      all: () => {
        all = !all;
        button("all").setAttribute("aria-pressed", String(all));
        deal.classList.toggle("stepping", !all);
        show(now, !all);
      },
    };
    bar.hidden = false;
    deal.classList.add("stepping");
    slider.max = String(frames.length - 1);
    slider.addEventListener("input", () => show(Number(slider.value)));
    bar.addEventListener("click", (event) => {
      const pressed = event.target.closest("[data-do]");
      if (pressed) acts[pressed.dataset.do]();
    });
    links.forEach((link) => link.addEventListener("click", (event) => {
      event.preventDefault();
      history.replaceState(null, "", link.hash);
      show(frames.findIndex((frame) => `#${frame.id}` === link.hash));
    }));
    show(0, true);
    return { deal, frames, acts, show };
  });

  // Arrow keys step the deal that has the focus, else the one that is nearest to the top of the window.
  const meant = () => {
    const focused = steppers.find(({ deal }) => deal.contains(document.activeElement));
    if (focused) return focused;
    return steppers.find(({ deal }) => deal.getBoundingClientRect().bottom > 120) || steppers[0];
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || steppers.length === 0) return;
    if (event.target.closest && event.target.closest("input, textarea, select")) return;
    const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (!name) return;
    event.preventDefault();
    meant().acts[name]();
  });

  const follow = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    for (const { deal, frames, show } of steppers) {
      const number = frames.findIndex((frame) => frame.id === id);
      if (number >= 0) {
        show(number, true);
        deal.scrollIntoView();
      }
    }
  };
  window.addEventListener("hashchange", follow);
  follow();
})();
