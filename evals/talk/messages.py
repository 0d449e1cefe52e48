"""Messages that were looked at while the built-in model learnt to understand them."""

from __future__ import annotations

from evals.talk.expected import Create, Delete, Edit, Instruct, Rename, Said, answer, asked, change

MESSAGES: tuple[Said, ...] = (
    # Questions
    answer("what documents do i have?"),
    answer("How much is the rent?"),
    answer("what's in the budget"),
    answer("where did you make the changes?"),
    answer("When do we ship?"),
    answer("who should be called next?"),
    answer("Why is food in the budget?"),
    answer("how do I add a section to Recipes?"),
    answer("can you tell me what the travel guide says about Norway?"),
    answer("Does the recipes document have a dinner section?"),
    answer("is there anything about Bergen?"),
    answer("did you delete the budget?"),
    answer("what would happen if I deleted Budget?"),
    answer("what did you change?"),
    answer("which sections does the budget have"),
    answer("summarize the travel guide"),
    answer("give me an outline of Meeting Notes"),
    answer("what is this document about?", opened="Recipes"),
    answer("whats the difference between Budget and Recipes"),
    answer("should I remove the costs section?"),
    # Small talk and remarks
    answer("hi there"),
    answer("thanks, that looks great!"),
    answer("the markdown looks off"),
    answer("I think the budget is a bit long"),
    answer("maybe add a lunch section to Recipes"),
    answer("Recipes should have a dessert section"),
    answer("what about adding flights to the travel guide?"),
    answer("don't delete the budget"),
    answer("no, leave it"),
    # Not said well enough
    asked("add a section about visas"),
    asked("delete it"),
    asked("rename the document to Plan"),
    asked("add “- milk” to the shopping list"),
    asked("change the notes"),
    asked("show me Recipies and delete Budgte"),
    asked("update the document"),
    asked("delete Trvel Gide"),
    # Plain changes
    change(
        "add pancakes to the breakfast section of Recipes",
        Edit("Recipes", ("eggs on toast", "pancakes", "Dinner")),
    ),
    change("Please add a Lunch section to Recipes", Edit("Recipes", ("Dinner", "## Lunch"))),
    change("put 'buy insurance' under Notes in the Budget", Edit("Budget", ("Notes", "buy insurance"))),
    change("change 1200 to 1300 in Budget", Edit("Budget", ("rent 1300",), "1200")),
    change(
        "replace June with July everywhere in the travel guide",
        Edit("Travel Guide", ("Best in July", "Best in July"), "June"),
    ),
    change("in the budget, change food 400 to food 450", Edit("Budget", ("food 450",), "food 400")),
    change("rename Budget to Finances", Rename("Budget", "Finances")),
    change("Could you please delete the recipes document?", Delete("Recipes")),
    change("get rid of the Norway section in the travel guide", Edit("Travel Guide", ("Iceland",), "Norway")),
    change(
        "move the Dinner section before Breakfast in Recipes", Edit("Recipes", ("## Dinner", "## Breakfast"))
    ),
    change("move Notes to the top of Budget", Edit("Budget", ("# Budget", "## Notes", "## Income"))),
    change("create a document called Packing List", Create("Packing List")),
    change("I want to create a document about hiking in Iceland", Create("hiking in Iceland")),
    change("make a new doc for the summer party", Create()),
    change("write the shopping list in a document: milk, eggs", Create(None, "milk, eggs")),
    change("Save this in a new document named Ideas: a boat, a hut", Create("Ideas", "a boat, a hut")),
    change("add 'hello' in the document", Edit("Recipes", ("hello",)), opened="Recipes"),
    change(
        "add a section Visas to this document", Edit("Travel Guide", ("## Visas",)), opened="Travel Guide"
    ),
    change("delete the Costs section", Edit("Budget", ("Income", "Notes"), "Costs"), opened="Budget"),
    change("rename this to Finances", Rename("Budget", "Finances"), opened="Budget"),
    change(
        "remove “- call Ada” from the meeting notes", Edit("Meeting Notes", ("book the room",), "call Ada")
    ),
    change(
        "add “- pay Ben” to the next steps in Meeting Notes",
        Edit("Meeting Notes", ("book the room", "pay Ben")),
    ),
    change("rename Budget to Money and delete Recipes", Rename("Budget", "Money"), Delete("Recipes")),
    change(
        "add “- tea” to Recipes and “- tickets” to Travel Guide",
        Edit("Recipes", ("tea",)),
        Edit("Travel Guide", ("tickets",)),
    ),
    change("pls ad a section Lunch to recipes", Edit("Recipes", ("## Lunch",))),
    change("delte the document Budget", Delete("Budget")),
    change("creat a new document called Todo", Create("Todo")),
    change(
        "rename the section Dinner to Supper in Recipes", Edit("Recipes", ("## Supper", "Tomato"), "Dinner")
    ),
    change(
        "set the standing instruction of Budget to: Amounts in euro.", Instruct("Budget", "Amounts in euro.")
    ),
    change(
        "replace the Decisions section of Meeting Notes with: We ship on Monday.",
        Edit("Meeting Notes", ("We ship on Monday.", "Next steps"), "Friday"),
    ),
    change("create two documents: Alpha and Beta", Create("Alpha"), Create("Beta")),
    change("Add my favorite songs", Create()),
    change("new document Wishlist", Create("Wishlist")),
)
