-- Tutorial helpers: messages on cells.
--
-- Part of Wallcrawler's own helper library. A tutorial's message is a marker like any other; its text is the
-- key by which a game would look the message up.

--- A marker that shows a tutorial message when the player reaches its cell; `key` is the key of the message.
function tutorial_msg(key)
    return TriggerableFunction:new { class = "tutorial_msg", message = key, repeated = true }
end

--- The welcome message of a lesson: left to the game.
function tutorial_intro(colour)
    crawl.tutorial_msg("tutorial intro", colour == nil and false or colour)
end
