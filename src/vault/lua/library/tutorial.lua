-- Tutorial helpers: messages that lie on cells.
--
-- Part of Wallcrawler's own helper library. A tutorial's message is a marker like any other; its text stays the
-- key by which a game would look the message up.

--- A marker that shows the tutorial message of the given key when the player comes there.
function tutorial_msg(key)
    return TriggerableFunction:new { class = "tutorial_msg", message = key, repeated = true }
end

--- The welcome of a lesson: left to the game.
function tutorial_intro(colour)
    crawl.tutorial_msg("tutorial intro", colour == nil and false or colour)
end
